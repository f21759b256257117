package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"memobench/benchmarks/record"
	"memobench/benchmarks/scaling/slope"
)

// table is what is printed.
type table struct {
	options       *options
	torch         *torchProgram
	host          record.Environment
	before, after string // load
	contests      []contest
}

func newTable(o *options, torch *torchProgram, contests []contest) *table {
	return &table{options: o, torch: torch, host: record.Host(""), before: loadAverage(), contests: contests}
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

// presets names where the sizes are from.
func (t *table) presets() string {
	for _, c := range t.contests {
		if c.model == paperMEMO {
			return fmt.Sprintf("%s (%s: of preset %s, hops fixed)", preset, c.title, paperPreset)
		}
	}
	return preset
}

func (t *table) print(w io.Writer) error {
	o := t.options
	var text strings.Builder
	fmt.Fprintf(&text, "A training step (forward, backward, Adam): ours beside PyTorch %s%s.\n", t.torch.version, t.onDevice())
	fmt.Fprintf(&text, "Sizes, batches and data of preset %s, the same %d batches in turn; threads of each side: %d.\n", t.presets(), distinctBatches, o.threads)
	for _, line := range labels(t.contests) {
		fmt.Fprintln(&text, line)
	}
	for _, line := range t.libraries() {
		fmt.Fprintln(&text, line)
	}
	if o.keep {
		fmt.Fprintln(&text, "PyTorch's process keeps the memory that it frees, by settings of glibc that are not the default.")
	}
	if o.compile {
		fmt.Fprintln(&text, "PyTorch's models are compiled (torch.compile) before they are timed.")
	}
	fmt.Fprint(&text, t.machine())
	fmt.Fprintf(&text, "Medians of %d interleaved runs of %v or more.", o.rounds, o.time)
	if o.device == "" {
		fmt.Fprint(&text, " CPU: processor time of all threads.")
	}
	fmt.Fprintln(&text, "\nRatio: ours to PyTorch's, below 1 ours is faster; in brackets the smallest and the largest of the rounds.")
	if err := t.render(&text); err != nil {
		return err
	}
	fmt.Fprint(&text, t.notes())
	_, err := io.WriteString(w, text.String())
	return err
}

// machine says what was measured on, and how busy it was.
func (t *table) machine() string {
	line := fmt.Sprintf("%s, %d cores; load (1-minute mean of processes that want a core) %s before, %s after.\n", t.host.CPU, t.host.Cores, t.before, t.after)
	if t.crowded() {
		line += "THE MACHINE HAS NO FREE CORE FOR EVERY THREAD: threads that wait for each other spin, and neither time is that of a quiet machine.\n"
	}
	return line
}

// labels lists the caveats of the contests' data.
func labels(contests []contest) []string {
	var list []string
	for _, c := range contests {
		for _, label := range c.labels {
			list = append(list, fmt.Sprintf("%s: %s.", c.task, label))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// notes explains the table.
func (t *table) notes() string {
	var text strings.Builder
	if t.options.device == "" {
		fmt.Fprintf(&text, "Target: for the faster form, by %s time.\n", t.targetTime())
	}
	fmt.Fprint(&text, t.shorter())
	rows, left := false, false
	for _, c := range t.contests {
		rows = rows || !c.full
		for _, p := range c.peers {
			left = left || p.beaten
		}
	}
	if rows {
		fmt.Fprintln(&text, "Rows: packed, PyTorch works on the same rows, at most padded to the longest of a group of similar length where they are attended to;")
		fmt.Fprintln(&text, "padded, every memory has as many rows as the longest of the task. Ours are packed.")
	}
	if left {
		fmt.Fprintf(&text, "A form that takes over %d times as long as another in the first round is not measured in the others.\n", clearly)
	}
	return text.String()
}

// shorter names the pairings that were measured in fewer rounds.
func (t *table) shorter() string {
	var names []string
	for _, c := range t.contests {
		if c.slow && t.options.rounds > slowRounds {
			names = append(names, c.pairing.String())
		}
	}
	if names == nil {
		return ""
	}
	return fmt.Sprintf("Fewer rounds than the others, %d, because one takes long: %s.\n", slowRounds, strings.Join(names, ", "))
}

// targetTime names the time that targets are about: with several threads, what
// a clock shows.
func (t *table) targetTime() string {
	if t.options.threads > 1 {
		return "wall"
	}
	return "CPU"
}

// crowded reports whether several threads a side had to share cores with other
// work. One thread's CPU time suffers little from that.
func (t *table) crowded() bool {
	load, err := strconv.ParseFloat(t.before, 64)
	return err == nil && t.options.threads > 1 && load+float64(t.options.threads) > float64(t.host.Cores)+spareLoad
}

// spareLoad is the load of a machine that does nothing else, with what is left
// in the mean of its last minute.
const spareLoad = 0.5

// onDevice names the hardware on which PyTorch computed, unless it is the CPU.
func (t *table) onDevice() string {
	if t.torch.device == "" {
		return ""
	}
	return " on " + t.torch.device
}

// libraries says which BLAS each side used, and whether they are the same.
func (t *table) libraries() []string {
	ours, theirs := t.blas()
	if t.options.device != "" {
		return []string{"BLAS of ours: " + ours + "."}
	}
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

// fastest returns the PyTorch form with the least time for an arrangement of rows.
func (c *contest) fastest(rows string) *peer {
	var best *peer
	for i := range c.peers {
		p := &c.peers[i]
		if p.job.Rows == rows && (best == nil || slope.Median(p.times()) < slope.Median(best.times())) {
			best = p
		}
	}
	return best
}

// render draws the table, without the columns of CPU time and targets where a
// device other than the CPU computes PyTorch's step.
func (t *table) render(w io.Writer) error {
	header := []string{"task", "model", "PyTorch's form", "rows"}
	compared := []func([]sample) []float64{walls}
	if t.options.device == "" {
		header = append(header, "CPU ms, ours", "PyTorch", "ratio")
		compared = []func([]sample) []float64{cpus, walls}
	}
	header = append(header, "wall ms, ours", "PyTorch", "ratio")
	if t.options.device == "" {
		header = append(header, "target")
	}
	var rows [][]string
	for i := range t.contests {
		c := &t.contests[i]
		for j := range c.peers {
			p := &c.peers[j]
			row := []string{c.task, c.title, p.job.Form, ""}
			if !c.full {
				row[3] = p.job.Rows
			}
			for _, times := range compared {
				a, b := times(c.ours), times(p.samples)
				row = append(row, milliseconds(slope.Median(a)), milliseconds(slope.Median(b)), ratios(a, b))
			}
			if t.options.device == "" {
				row = append(row, t.verdict(c, p))
			}
			rows = append(rows, row)
		}
	}
	return draw(w, header, 4, rows)
}

// verdict says whether a target is met; empty for a slower form, or where there
// is no target.
func (t *table) verdict(c *contest, p *peer) string {
	most, ok := c.target(p.job.Rows)
	if !ok || p != c.fastest(p.job.Rows) {
		return ""
	}
	ratio := p.ratio(c, cpus)
	if t.options.threads > 1 {
		ratio = p.ratio(c, walls)
	}
	if ratio <= most {
		return fmt.Sprintf("%g met", most)
	}
	return fmt.Sprintf("%g missed", most)
}

// ratio returns the ratio of the medians.
func (p *peer) ratio(c *contest, times func([]sample) []float64) float64 {
	return slope.Median(times(c.ours)) / slope.Median(times(p.samples))
}
