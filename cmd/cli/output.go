package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"memobench/benchmarks/printable"
	"memobench/benchmarks/record"
	"memobench/models/engine"
	"memobench/report/results"
	"memobench/report/table"
)

// mapped returns what f makes of each element of a list.
func mapped[T, U any](list []T, f func(T) U) []U {
	out := make([]U, 0, len(list))
	for _, v := range list {
		out = append(out, f(v))
	}
	return out
}

// printJSON writes a value as indented JSON.
func (p *program) printJSON(v any) error { return writeJSON(p.stdout, v) }

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// style is the style of tables on standard output: ASCII where the locale is not UTF-8.
func (p *program) style() table.Style {
	locale := strings.ToLower(cmp.Or(p.getenv("LC_ALL"), p.getenv("LC_CTYPE"), p.getenv("LANG"))) // as in POSIX
	utf8 := strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
	return table.Style{ASCII: p.ascii || !utf8, Width: printable.Columns(p.stdout, p.getenv, 120)}
}

// printRun prints the table of one run, and its directory.
func (p *program) printRun(dir string, rec *record.Record) error {
	if err := p.printRuns([]results.Run{{Record: rec, Source: dir}}, "text"); err != nil {
		return err
	}
	_, err := fmt.Fprintf(p.stdout, "The run is in %s\n", dir)
	return err
}

// printRecords prints the runs' records as a JSON array.
func (p *program) printRecords(runs []results.Run) error {
	return p.printJSON(mapped(runs, func(r results.Run) *record.Record { return r.Record }))
}

// printBLAS prints the first line of every command that computes: the BLAS, its speed, and
// the number of cores; nothing if quiet. With asJSON it is on standard error.
func (p *program) printBLAS(quiet, asJSON bool) {
	if quiet {
		return
	}
	out := p.stdout
	if asJSON {
		out = p.stderr
	}
	blas := engine.BLAS()
	fmt.Fprintf(out, "BLAS: %s, %.0f GFLOP/s on one core; %s, threads a call: %d\n",
		blas.Name, engine.MeasureGFLOPS(100*time.Millisecond), printable.Count(runtime.GOMAXPROCS(0), "cores"), blas.Threads)
	if blas.Note != "" {
		fmt.Fprintln(out, blas.Note)
	}
}

// recordedBLAS returns the name of the BLAS for records.
func recordedBLAS() string {
	blas := engine.BLAS()
	return fmt.Sprintf("%s, threads a call: %d", blas.Name, blas.Threads)
}
