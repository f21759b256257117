package cli

import (
	"os"
	"runtime/debug"
	"strings"

	"memobench/report/compare"
	"memobench/report/results"
)

// compare prints the differences of two sets of results.
func (p *program) compare(args []string) error {
	f := p.flags("compare A B [flags]",
		`Print, for each number that two sets of results both have, the difference of the
means with its 95 % interval, and where seeds are known that of equal seeds. If
both sides kept their answers (--keep-predictions), those of each seed are
compared question by question by McNemar's exact test.

A and B are records, directories with runs, their bench.txt, or the output of
go test -bench. A path may choose runs by a model's label or by settings:
runs:memo, runs:learning_rate=5e-4. Of two models, or of runs under different protocols,
those are compared that answered the same questions; other data are refused.`,
		[2]string{"compare runs/before runs/after", "two versions of the code"},
		[2]string{"compare runs/quick:emn4 runs/quick:memo", "two models"},
		[2]string{"compare runs/rates:learning_rate=1e-3 runs/rates:learning_rate=5e-4", "two settings"},
		[2]string{"compare runs/before runs/after --json", "for a program to read"})
	var all, asJSON, ascii bool
	var query string
	f.StringVar(&query, "filter", "", filterUsage)
	f.BoolVar(&all, "all", false, "also times, steps and parameters")
	f.BoolVar(&asJSON, "json", false, "print the comparison as JSON")
	f.BoolVar(&ascii, "ascii", false, "text in plain ASCII, whatever the locale")
	if err := f.parse(args, "two sets of results"); err != nil {
		return err
	}
	a, b, err := twoSets(f)
	if err != nil {
		return err
	}
	filter, err := results.ParseFilter(query)
	if err != nil {
		return usagef("compare: --filter: %w", err)
	}
	c, err := compare.Compare(a, b, filter, all)
	if err != nil {
		return usagef("compare: %w", err)
	}
	if asJSON {
		return p.printJSON(c)
	}
	return c.Print(p.stdout, p.style(ascii))
}

// filterUsage explains --filter.
const filterUsage = "only cells that match this `QUERY`, as benchstat has it: '/task:pai3 /model:memo'"

// twoSets reads the two sets that a command's arguments name.
func twoSets(f *flagSet) (a, b *results.Set, err error) {
	if f.NArg() != 2 {
		return nil, nil, usagef("%s: name two sets of results, each a file or a directory, for example: memobench %s runs/before runs/after", f.Name(), f.Name())
	}
	debug.SetMemoryLimit(900 << 20) // for the largest sets, most of whose memory is garbage
	if a, err = readSet(f.Arg(0)); err == nil {
		b, err = readSet(f.Arg(1))
	}
	if err != nil {
		err = usagef("%s: %w", f.Name(), err)
	}
	return a, b, err
}

// readSet reads results and checks that none contradicts its protocol.
func readSet(path string) (*results.Set, error) {
	selection := ""
	if _, err := os.Stat(path); err != nil { // a path with a colon is a path
		if at := strings.LastIndex(path, ":"); at > 0 {
			path, selection = path[:at], path[at+1:]
		}
	}
	r, err := results.Open(path)
	if err == nil && selection != "" {
		err = r.Choose(selection)
	}
	if err != nil {
		return nil, err
	}
	s, err := r.Set()
	if err != nil {
		return nil, err
	}
	return s, s.CheckProtocols()
}
