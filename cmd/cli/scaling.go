package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memobench/benchmarks/scaling"
	"memobench/cmd/cli/progress"
	"memobench/models/checkpoint"
	"memobench/models/engine"
	"memobench/report/figure"
)

// The files of scaling in --out.
const (
	scalingRecord = "scaling.json"
	scalingBench  = "bench.txt"
)

func scalingFigure(mode scaling.Mode) string { return "scaling-" + string(mode) + ".svg" }

func (p *program) scalingCommand() *cobra.Command {
	o := scaling.Options{Examples: 1, Rounds: 5, Modes: scaling.Modes()}
	from, to, memory, threads := scaling.MinRows, 8192, 4096, 1
	names := mapped(scaling.Systems(), func(s scaling.System) string { return s.Name })
	var out string
	var overwrite, quiet, asJSON bool
	c := &cobra.Command{
		Use:   "scaling",
		Short: "Count and time how cost grows with the number of memory rows",
		Long: `Measure how the cost of each model grows with the number of memory rows, I: floating-point operations
and bytes, counted exactly, and times, with their log-log slope. With --out the numbers are also
written as JSON, as Go benchmark results for benchstat, and as one figure per mode.`,
		Example: `  memobench scaling --out runs/scaling
  memobench scaling --models memo,memo-nowh --modes infer --to 2048`,
		Args: cobra.ExactArgs(0),
		RunE: func(*cobra.Command, []string) error {
			if from%2 != 0 || to < from || o.Examples > scaling.MaxBatchRows/to {
				return usagef("scaling: --from %d, --to %d, --batch %d: want an even --from, not above --to, and at most %d rows in a batch",
					from, to, o.Examples, scaling.MaxBatchRows)
			}
			o.From, o.To, o.MaxBytes = from, to, memory<<20
			for _, name := range names {
				s, err := scaling.Find(name)
				if err != nil {
					return usage(err)
				}
				o.Systems = append(o.Systems, s)
			}
			engine.SetBLASThreads(threads)
			return p.scaling(o, out, overwrite, quiet, asJSON)
		},
	}
	f := c.Flags()
	f.StringSliceVar(&names, "models", names, "`NAMES` with commas between; others: memobench ls")
	f.Func("modes", "`MODES`: infer, train or both (default infer,train)", func(text string) error {
		o.Modes = nil
		for _, name := range strings.Split(text, ",") {
			if !slices.Contains(scaling.Modes(), scaling.Mode(name)) || slices.Contains(o.Modes, scaling.Mode(name)) {
				return errors.New("want infer, train or both")
			}
			o.Modes = append(o.Modes, scaling.Mode(name))
		}
		return nil
	})
	numberVar(f, &from, "from", scaling.MinRows, scaling.MaxRows, "smallest `NUMBER` of rows, even; it is doubled")
	numberVar(f, &to, "to", scaling.MinRows, scaling.MaxRows, "largest `NUMBER` of rows")
	numberVar(f, &o.Examples, "batch", 1, scaling.MaxBatchRows, "`NUMBER` of examples in a batch")
	numberVar(f, &o.Rounds, "rounds", 1, 1_000_000, "`NUMBER` of times that all sizes are run in turn")
	f.DurationVar(&o.MaxPass, "max-pass", 10*time.Second, "leave out sizes whose pass takes longer than this `TIME`, and say so")
	numberVar(f, &memory, "max-memory", 1, 1<<20, "leave out sizes that need more than this `NUMBER` of MiB, and say so")
	numberVar(f, &threads, "threads", 1, 1024, "`NUMBER` of threads in OpenBLAS")
	f.StringVar(&out, "out", "", "`DIR` to write "+scalingRecord+", "+scalingBench+" and a figure per mode to")
	f.BoolVar(&overwrite, "overwrite", false, "replace what is there in the directory")
	f.BoolVar(&quiet, "quiet", false, "no progress")
	f.BoolVar(&asJSON, "json", false, "print the result as JSON instead of tables")
	return c
}

func (p *program) scaling(o scaling.Options, out string, overwrite, quiet, asJSON bool) error {
	if out != "" {
		if err := os.MkdirAll(out, 0o755); err != nil {
			return fmt.Errorf("scaling: --out: %w", err)
		}
		for _, name := range append(mapped(o.Modes, scalingFigure), scalingRecord, scalingBench) {
			if _, err := os.Stat(filepath.Join(out, name)); err == nil && !overwrite {
				return usagef("scaling: --out: %s is there already; --overwrite replaces it", filepath.Join(out, name))
			}
		}
	}
	p.printBLAS(quiet, asJSON)
	if !quiet {
		d := progress.New(p.stderr)
		defer d.Close()
		o.Progress = func(s scaling.Progress) {
			d.Show(progress.State{Name: "scaling", Step: int(100 * s.Done), Steps: 100, Done: s.What, Left: s.Left})
		}
	}
	result, err := scaling.Measure(p.ctx, o)
	if err != nil {
		return p.stopped(err, "nothing was written")
	}
	if out != "" {
		if err := writeScaling(out, result); err != nil {
			return err
		}
	}
	if asJSON {
		return p.printJSON(result)
	}
	return result.Print(p.stdout, p.style().ASCII)
}

// writeScaling writes the files of a result into a directory.
func writeScaling(dir string, r *scaling.Report) error {
	path := filepath.Join(dir, scalingRecord)
	err := checkpoint.WriteFile(path, func(w io.Writer) error { return writeJSON(w, r) })
	if err == nil {
		err = checkpoint.WriteFile(filepath.Join(dir, scalingBench), r.Bench)
	}
	if err != nil {
		return err
	}
	figures, err := figure.Scaling(path)
	for _, f := range figures {
		data, err := f.SVG()
		if err == nil {
			err = checkpoint.WriteBytes(filepath.Join(dir, strings.TrimPrefix(f.ID, "figure-")+".svg"), data)
		}
		if err != nil {
			return err
		}
	}
	return err
}
