package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"memobench/benchmarks/record"
)

// table is what is printed.
type table struct {
	options       *options
	torch         string // version
	host          record.Environment
	before, after string // load
	contests      []contest
}

// loadAverage returns the mean number of processes that wanted to run in the
// last minute, as the system prints it; "unknown" where it does not.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}

func (t *table) print(w io.Writer) error {
	o := t.options
	var text strings.Builder
	fmt.Fprintf(&text, "A training step (forward, backward, Adam): ours beside PyTorch %s.\n", t.torch)
	fmt.Fprintf(&text, "Sizes of preset %s, batches of %d; threads of each side: %d.\n", o.preset, t.contests[0].batch, o.threads)
	for _, line := range t.libraries() {
		fmt.Fprintln(&text, line)
	}
	fmt.Fprintf(&text, "%s, %d cores; load (1-minute mean of processes that want a core) %s before, %s after.\n", t.host.CPU, t.host.Cores, t.before, t.after)
	if t.crowded() {
		fmt.Fprintln(&text, "THE MACHINE HAS NO FREE CORE FOR EVERY THREAD: threads that wait for each other spin, and neither time is that of a quiet machine.")
	}
	fmt.Fprintf(&text, "Medians of %d interleaved runs of %v or more. CPU: processor time of all threads.\n", o.rounds, o.time)
	fmt.Fprintln(&text, "Ratio: ours to PyTorch's, below 1 ours is faster; in brackets the smallest and the largest of the rounds.")
	if err := t.render(&text); err != nil {
		return err
	}
	for _, c := range t.contests {
		if p := c.fastest(); len(c.peers) > 1 {
			fmt.Fprintf(&text, "%s: PyTorch's faster form is the %s one, by CPU time.\n", c.title, p.job.Form)
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// crowded reports whether several threads a side had to share cores with other
// work. One thread's processor time suffers little from that.
func (t *table) crowded() bool {
	load, err := strconv.ParseFloat(t.before, 64)
	return err == nil && t.options.threads > 1 && load+float64(t.options.threads) > float64(t.host.Cores)+spareLoad
}

// spareLoad is the load of a machine that does nothing else, with what is left
// in the mean of its last minute.
const spareLoad = 0.5

// libraries says which BLAS each side used, and whether they are the same.
func (t *table) libraries() []string {
	ours, theirs := t.blas()
	if ours == theirs {
		return []string{"BLAS of both: " + ours + "."}
	}
	return []string{
		fmt.Sprintf("BLAS: ours %s, PyTorch's %s.", ours, theirs),
		"THE LIBRARIES ARE NOT THE SAME: the ratios compare them too.",
	}
}

// blas returns the libraries of each side; more than one, which only a machine
// that changes under the measurement can have, are listed.
func (t *table) blas() (ours, theirs string) {
	var a, b []string
	for _, c := range t.contests {
		for _, s := range c.ours {
			a = append(a, s.blas)
		}
		for _, p := range c.peers {
			for _, s := range p.samples {
				b = append(b, s.blas)
			}
		}
	}
	list := func(names []string) string {
		slices.Sort(names)
		return strings.Join(slices.Compact(names), " and ")
	}
	return list(a), list(b)
}

// fastest returns the PyTorch form with the least processor time.
func (c *contest) fastest() *peer {
	return &c.peers[slices.IndexFunc(c.peers, func(p peer) bool {
		return !slices.ContainsFunc(c.peers, func(q peer) bool { return median(cpus(q.samples)) < median(cpus(p.samples)) })
	})]
}

func (t *table) render(w io.Writer) error {
	drawn := tablewriter.NewTable(w,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{Symbols: tw.NewSymbols(tw.StyleLight)})),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithHeaderAlignment(tw.AlignCenter),
		tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: []tw.Align{
			tw.AlignLeft, tw.AlignLeft, tw.AlignLeft, tw.AlignRight, tw.AlignRight, tw.AlignRight, tw.AlignRight, tw.AlignRight, tw.AlignRight}}),
		tablewriter.WithEastAsian(tw.Off),
	)
	drawn.Header([]string{"task", "model", "PyTorch's form", "CPU ms, ours", "PyTorch", "ratio", "wall ms, ours", "PyTorch", "ratio"})
	var rows [][]string
	for _, c := range t.contests {
		for _, p := range c.peers {
			row := []string{c.task, c.title, p.job.Form}
			for _, times := range []func([]sample) []float64{cpus, walls} {
				a, b := times(c.ours), times(p.samples)
				row = append(row, milliseconds(median(a)), milliseconds(median(b)), ratios(a, b))
			}
			rows = append(rows, row)
		}
	}
	for _, row := range rows {
		if err := drawn.Append(row); err != nil {
			return err
		}
	}
	return drawn.Render()
}

func cpus(s []sample) []float64  { return each(s, func(s sample) float64 { return s.cpu }) }
func walls(s []sample) []float64 { return each(s, func(s sample) float64 { return s.wall }) }

func each(list []sample, f func(sample) float64) []float64 {
	var out []float64
	for _, s := range list {
		out = append(out, f(s))
	}
	return out
}

// median returns the middle of x, or the mean of the two in the middle.
func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}

// ratios prints the ratio of the medians of a and b, measured in the same
// rounds, and the range of the rounds' ratios.
func ratios(a, b []float64) string {
	var each []float64
	for i := range a {
		each = append(each, a[i]/b[i])
	}
	return fmt.Sprintf("%.2f (%.2f-%.2f)", median(a)/median(b), slices.Min(each), slices.Max(each))
}

// milliseconds prints three significant digits, or all before the point.
func milliseconds(seconds float64) string {
	ms := seconds * 1e3
	switch {
	case ms < 10:
		return fmt.Sprintf("%.2f", ms)
	case ms < 100:
		return fmt.Sprintf("%.1f", ms)
	}
	return fmt.Sprintf("%.0f", ms)
}
