package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memobench/benchmarks/scaling"
	"memobench/cmd/memobench/progress"
	"memobench/models/checkpoint"
	"memobench/models/engine"
	"memobench/report/figure"
	"memobench/report/results"
)

// scalingFlags are the flags' values.
type scalingFlags struct {
	models, modes []string
	from, to      int
	batch, rounds int
	maxPass       time.Duration
	maxMemory     int // MiB
	threads       int
	out           string
	overwrite     bool
	quiet, json   bool
}

// The files of scaling in --out.
const (
	scalingRecord = "scaling.json"
	scalingBench  = "bench.txt"
)

// scalingFigure returns the file name of the figure of a mode.
func scalingFigure(mode string) string { return "scaling-" + mode + ".svg" }

// scaling measures how cost grows with the number of memory rows.
func (p *program) scaling(args []string) error {
	f := p.flags("scaling [flags]",
		`Measure how the cost of each model grows with the number of memory rows, I:
floating-point operations and bytes, counted and exact, and times, with their
log-log slope. With --out the numbers are also written
as JSON, as Go benchmark results for benchstat, and as one figure per mode.`,
		[2]string{"scaling --out runs/scaling", "everything up to 8192 rows; about five minutes"},
		[2]string{"scaling --models memo,memo-nowh --modes infer --to 2048", "what W_h costs"})
	var o scalingFlags
	f.StringSliceVar(&o.models, "models", nil, "`NAMES` with commas between (default: "+strings.Join(systemNames(), ",")+"); others: memobench ls")
	f.StringSliceVar(&o.modes, "modes", []string{string(scaling.Infer), string(scaling.Train)}, "`MODES`: infer, train or both")
	f.IntVar(&o.from, "from", scaling.MinRows, "smallest `NUMBER` of rows, even; it is doubled")
	f.IntVar(&o.to, "to", 8192, "largest `NUMBER` of rows")
	f.IntVar(&o.batch, "batch", 1, "`NUMBER` of examples in a batch")
	f.IntVar(&o.rounds, "rounds", 5, "`NUMBER` of times that all sizes are run in turn")
	f.DurationVar(&o.maxPass, "max-pass", 10*time.Second, "leave out sizes whose pass takes longer than this `TIME`, and say so")
	f.IntVar(&o.maxMemory, "max-memory", 4096, "leave out sizes that hold more than this `NUMBER` of MiB, and say so")
	f.IntVar(&o.threads, "threads", 1, "`NUMBER` of threads in OpenBLAS")
	f.StringVar(&o.out, "out", "", "`DIR` to write "+scalingRecord+", "+scalingBench+" and a figure per mode to")
	f.BoolVar(&o.overwrite, "overwrite", false, "replace what is there in the directory")
	f.BoolVar(&o.quiet, "quiet", false, "no progress")
	f.BoolVar(&o.json, "json", false, "print the result as JSON instead of tables")
	if err := f.parse(args, ""); err != nil {
		return err
	}
	options, err := o.options()
	if err != nil {
		return err
	}
	if err := o.checkOut(); err != nil {
		return err
	}
	engine.SetBLASThreads(o.threads)
	p.printBLAS(o.quiet, o.json)
	if !o.quiet {
		d := progress.New(p.stderr)
		defer d.Close()
		options.Progress = func(s scaling.Progress) {
			d.Show(progress.State{Name: "scaling", Step: int(100 * s.Done), Steps: 100, Done: s.What, Left: s.Left})
		}
	}
	result, err := scaling.Measure(p.ctx, options)
	if err != nil {
		return p.stopped(err, "nothing was written", args, "scaling")
	}
	if err := o.write(result); err != nil {
		return err
	}
	if o.json {
		return p.printJSON(result)
	}
	return result.Print(p.stdout, p.style(false).ASCII)
}

// options returns the options of package scaling.
func (o *scalingFlags) options() (scaling.Options, error) {
	options := scaling.Options{
		Examples: o.batch, Rounds: o.rounds, Sample: scaling.DefaultSample,
		MaxPass: o.maxPass, MaxBytes: o.maxMemory << 20,
	}
	switch {
	case o.from < scaling.MinRows || o.from%2 != 0:
		return options, usagef("--from %d: want an even number from %d on", o.from, scaling.MinRows)
	case o.to < o.from:
		return options, usagef("--to %d: want --from (%d) or more", o.to, o.from)
	case o.to > scaling.MaxRows:
		return options, usagef("--to %d: want at most %d", o.to, scaling.MaxRows)
	case o.batch < 1:
		return options, usagef("--batch %d: want 1 or more", o.batch)
	case o.batch > scaling.MaxBatchRows/o.to:
		return options, usagef("--batch %d: want at most %d, which is %d rows with --to %d", o.batch, scaling.MaxBatchRows/o.to, scaling.MaxBatchRows, o.to)
	case o.rounds < 1:
		return options, usagef("--rounds %d: want 1 or more", o.rounds)
	case o.threads < 1:
		return options, usagef("--threads %d: want 1 or more", o.threads)
	case o.maxPass <= 0 || o.maxMemory < 1:
		return options, usagef("--max-pass %v, --max-memory %d: want some", o.maxPass, o.maxMemory)
	}
	options.Sizes = scaling.Doublings(o.from, o.to)
	if o.models == nil {
		o.models = systemNames()
	}
	for i, name := range o.models {
		s, err := scaling.Find(name)
		if err != nil {
			return options, usage(err)
		}
		if slices.Contains(o.models[:i], name) {
			return options, usagef("--models: %s is given twice", name)
		}
		options.Systems = append(options.Systems, s)
	}
	for i, name := range o.modes {
		mode := scaling.Mode(name)
		if !slices.Contains(scaling.Modes(), mode) {
			return options, unknown("mode", name, []string{string(scaling.Infer), string(scaling.Train)})
		}
		if slices.Contains(o.modes[:i], name) {
			return options, usagef("--modes: %s is given twice", name)
		}
		options.Modes = append(options.Modes, mode)
	}
	return options, nil
}

func systemNames() []string {
	return mapped(scaling.Systems(), func(s scaling.System) string { return s.Name })
}

// checkOut refuses a directory with results before anything is measured.
func (o *scalingFlags) checkOut() error {
	if o.out == "" || o.overwrite {
		return nil
	}
	names := []string{scalingRecord, scalingBench}
	for _, mode := range o.modes {
		names = append(names, scalingFigure(mode))
	}
	for _, name := range names {
		path := filepath.Join(o.out, name)
		if _, err := os.Stat(path); err == nil {
			return usagef("%s is there already; --overwrite replaces it", path)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("scaling: --out: %w", err)
		}
	}
	return nil
}

// write writes the files into --out.
func (o *scalingFlags) write(r *scaling.Report) error {
	if o.out == "" {
		return nil
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return fmt.Errorf("scaling: --out: %w", err)
	}
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{scalingRecord, func(w io.Writer) error { return writeJSON(w, r) }},
		{scalingBench, r.Bench},
	} {
		path := filepath.Join(o.out, file.name)
		if err := checkpoint.WriteFile(path, file.write); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return o.drawFigures(r)
}

// drawFigures draws the figures of a report, one for each mode with results.
func (o *scalingFlags) drawFigures(r *scaling.Report) error {
	timed := func(s *scaling.Series) bool {
		return slices.ContainsFunc(s.Points, func(p *scaling.Point) bool { return p.Timed })
	}
	if !slices.ContainsFunc(r.Series, timed) {
		return nil
	}
	set, err := results.Read(filepath.Join(o.out, scalingBench))
	if err != nil {
		return err
	}
	figures, err := figure.Scaling([]*results.Set{set})
	if err != nil {
		return err
	}
	for _, mode := range o.modes {
		i := slices.IndexFunc(figures, func(f *figure.Figure) bool { return f.ID == "figure-scaling-"+mode })
		if i < 0 {
			continue
		}
		data, err := figures[i].SVG()
		if err != nil {
			return err
		}
		err = checkpoint.WriteBytes(filepath.Join(o.out, scalingFigure(mode)), data)
		if err != nil {
			return err
		}
	}
	return nil
}
