package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"memobench/cmd/memobench/data"
	"memobench/datasets"
)

// dataShow prints a few examples of a task.
func (p *program) dataShow(args []string) error {
	f := p.groupFlags("data show TASK [flags]",
		`Print a few examples of a task with their answers: a story with its question, a
memory of pairs in which the chain of the query is marked, a graph with its path.`,
		[2]string{"data show babi --kind 2", "questions of the second bAbI task"},
		[2]string{"data show pai3 --kind A-C -n 1", "a query that takes inference"},
		[2]string{"data show sp --set nodes=8 --set length=3 --seed 4", "paths in small graphs"},
		[2]string{"data show babi --data mine.txt --json", "stories of your own, as JSON"})
	var pick data.Pick
	var o taskFlags
	var asJSON bool
	f.StringVar(&pick.Kind, "kind", "", "`KIND` of query, or number of a bAbI task (default: any)")
	f.IntVarP(&pick.N, "number", "n", 3, "`NUMBER` of examples")
	f.Uint64Var(&pick.Seed, "seed", 0, "`NUMBER`, the seed of the choice (default 0)")
	f.StringVar(&o.split, "split", "test", "`SPLIT` to show: train, validation or test")
	o.add(f)
	f.BoolVar(&asJSON, "json", false, "print the examples as JSON")
	task, err := f.one(args, "a task", "babi --kind 2")
	if err != nil {
		return err
	}
	if pick.N < 1 || pick.N > maxShown {
		return usagef("data show: --number %d: want 1 to %d", pick.N, maxShown)
	}
	src, split, err := o.open(f, task)
	if err != nil {
		return err
	}
	pick.Split = split
	if !asJSON {
		return data.WriteExamples(p.stdout, src, pick)
	}
	list, err := data.Draw(src, pick)
	if err != nil {
		return err
	}
	return p.printJSON(list)
}

// maxShown is the maximum number of examples that are shown.
const maxShown = 10_000

// taskFlags select examples of a task.
type taskFlags struct {
	split, path string
	set         []string
}

func (o *taskFlags) add(f *flagSet) {
	f.StringArrayVar(&o.set, "set", nil, "change a setting of the task, as `KEY=VALUE`; may be given several times (keys: memobench ls -v)")
	f.dataVar(&o.path)
}

// open opens a task for its split.
func (o *taskFlags) open(f *flagSet, task string) (datasets.Source, datasets.Split, error) {
	split, err := datasets.ParseSplit(o.split)
	if err != nil {
		return nil, split, usagef("%s: --split: %w", f.Name(), err)
	}
	entry, settings, err := taskSettings(task, o.set)
	if err == nil {
		err = checkData(o.path, task)
	}
	if err != nil {
		return nil, split, err
	}
	src, err := entry.New(settings, datasets.Options{DataPath: o.path, Splits: []datasets.Split{split}, Partial: len(o.set) == 0})
	var setting *datasets.SettingError
	if errors.As(err, &setting) {
		err = usage(err)
	}
	return src, split, err
}

// dataStats summarizes a task or files.
func (p *program) dataStats(args []string) error {
	f := p.groupFlags("data stats TASK|PATH [flags]",
		`Summarize data: the share of each kind of query, rows of a memory, answers, and what
guessing achieves. A path leads to bAbI files, or to what "memobench data gen" wrote.`,
		[2]string{"data stats babi", "the bAbI stories"},
		[2]string{"data stats sp20-3-3 --set targets=random", "shortest paths"},
		[2]string{"data stats pai3-released --data released --count 3000", "trials of the released PAI files"},
		[2]string{"data stats pai3 --split train --json", "pairs, as JSON"})
	var o taskFlags
	var seed uint64
	var count int
	var quiet, asJSON bool
	f.StringVar(&o.split, "split", "", "`SPLIT` to describe: train, validation or test (default: test, of written examples all)")
	f.Uint64Var(&seed, "seed", 0, "`NUMBER`, the seed of a task's examples (default 0)")
	f.IntVar(&count, "count", 0, "`NUMBER` of a task's examples (default: 10000, of a task that reads files all)")
	o.add(f)
	f.BoolVar(&quiet, "quiet", false, "no progress")
	f.BoolVar(&asJSON, "json", false, "print the result as JSON")
	what, err := f.one(args, "a task or a path", "babi")
	if err != nil {
		return err
	}
	if count < 0 || count > datasets.MaxPerKind || count == 0 && f.Changed("count") {
		return usagef("data stats: --count %d: want 1 to %d", count, datasets.MaxPerKind)
	}
	tick, stop := p.ticks("reading", quiet)
	defer stop()
	var list []*data.Stats
	if _, isTask := datasets.Lookup(what); isTask {
		o.split = cmp.Or(o.split, datasets.Test.String())
		src, split, err := o.open(f, what)
		if err != nil {
			return err
		}
		s, err := data.Describe(p.ctx, src, split, seed, count, tick)
		if err != nil {
			return p.stopped(err, "nothing is changed", args, "data", "stats")
		}
		list = append(list, s)
	} else if list, err = p.pathStats(f, what, o.split, tick); err != nil {
		return p.stopped(err, "nothing is changed", args, "data", "stats")
	}
	stop()
	if asJSON {
		return p.printJSON(list)
	}
	for i, s := range list {
		if i > 0 {
			fmt.Fprintln(p.stdout)
		}
		if err := s.WriteText(p.stdout); err != nil {
			return err
		}
	}
	return nil
}

func (p *program) pathStats(f *flagSet, path, split string, tick data.Tick) ([]*data.Stats, error) {
	if _, err := os.Stat(path); err != nil && !strings.ContainsAny(path, `/\.`) {
		return nil, unknown("task or path", path, datasets.Names())
	}
	for _, flag := range []string{"seed", "count", "set", "data"} {
		if f.Changed(flag) {
			return nil, usagef("data stats: --%s is for tasks, and %s is a path", flag, path)
		}
	}
	return data.DescribePath(p.ctx, path, split, tick)
}

// dataValidate looks for errors in files.
func (p *program) dataValidate(args []string) error {
	f := p.groupFlags("data validate PATH [flags]",
		`Read files to their end and look for errors: bAbI files (one, a directory or the
archive), a directory of the released PAI shards, .npy files, and what
"memobench data gen" wrote. Each error names file and line or offset; all are counted
and the first ten shown. The exit status is 1 if there is any.`,
		[2]string{"data validate data/babi", "a directory of bAbI files"},
		[2]string{"data validate mine.txt", "a file of stories of your own"},
		[2]string{"data validate data/pai3 --json", "a generated dataset, result as JSON"})
	var quiet, asJSON bool
	f.BoolVar(&quiet, "quiet", false, "no progress")
	f.BoolVar(&asJSON, "json", false, "print the result as JSON")
	path, err := f.one(args, "a path", "data/babi")
	if err != nil {
		return err
	}
	tick, stop := p.ticks("checking", quiet)
	report, err := data.Validate(p.ctx, path, tick)
	stop()
	if err != nil {
		return p.stopped(err, "nothing is changed", args, "data", "validate")
	}
	if asJSON {
		err = p.printJSON(report)
	} else {
		err = report.WriteText(p.stdout)
	}
	if err == nil && report.Errors > 0 {
		err = fmt.Errorf("%s: errors found: %d", path, report.Errors)
	}
	return err
}
