package main

import (
	"os"
	"strings"

	"memobench/cmd/memobench/data"
	"memobench/datasets"
)

// dataStats summarizes a task or files.
func (p *program) dataStats(args []string) error {
	f := p.groupFlags("data stats TASK|PATH [flags]",
		`Summarize data. Of a generated task: the share of each kind of query, rows of a
memory, what guessing achieves and what the memory allows at most. Of bAbI: stories,
questions, lengths, vocabulary and answers of each task. A path leads to bAbI files,
or to what "memobench data gen" wrote.`,
		[2]string{"data stats babi", "the bAbI stories"},
		[2]string{"data stats sp20-3-3 --set targets=random", "the share of ambiguous paths that the memory determines"},
		[2]string{"data stats pai3-released --data released", "trials of the released PAI files"},
		[2]string{"data stats pai3 --split test --json", "pairs, as JSON"})
	var o statsOptions
	var quiet, asJSON bool
	f.StringVar(&o.split, "split", "", "`SPLIT` to describe: train, validation or test (default: train, of written examples all)")
	f.Uint64Var(&o.seed, "seed", 0, "`NUMBER`, the seed of a task's examples (default 0)")
	f.IntVar(&o.count, "count", 10_000, "`NUMBER` of a task's examples")
	f.StringArrayVar(&o.set, "set", nil, "change a setting of a task, as `KEY=VALUE`; may be given several times (keys: memobench ls -v)")
	f.StringVar(&o.path, "data", "", "`PATH` of the data, for tasks that read files")
	f.BoolVar(&quiet, "quiet", false, "no progress")
	f.BoolVar(&asJSON, "json", false, "print the result as JSON")
	if err := f.parse(args, "a task or a path"); err != nil {
		return err
	}
	what, err := f.one("a task or a path", "babi")
	if err != nil {
		return err
	}
	if o.split != "" {
		if _, err := datasets.ParseSplit(o.split); err != nil {
			return usagef("data stats: --split: %w", err)
		}
	}
	if o.count < 1 || o.count > datasets.MaxPerKind {
		return usagef("data stats: --count %d: want 1 to %d", o.count, datasets.MaxPerKind)
	}
	m := p.meter("reading", quiet)
	s, err := p.stats(f, what, o, m.showCounts)
	m.close()
	if err != nil {
		return p.stopped(err, "nothing is changed", "stats", args)
	}
	if asJSON {
		return p.printJSON(s)
	}
	return s.WriteText(p.stdout)
}

// statsOptions are the flags that say what to summarize.
type statsOptions struct {
	split, path string
	seed        uint64
	count       int
	set         []string
}

// stats summarizes a task, or else a path.
func (p *program) stats(f *flagSet, what string, o statsOptions, tick data.Tick) (*data.Stats, error) {
	if _, isTask := datasets.Lookup(what); !isTask {
		if _, err := os.Stat(what); err != nil && !strings.ContainsAny(what, `/\.`) {
			return nil, unknown("task or path", what, datasets.Names())
		}
		for _, flag := range []string{"seed", "count", "set", "data"} {
			if f.Changed(flag) {
				return nil, usagef("data stats: --%s is for tasks, and %s is a path", flag, what)
			}
		}
		return data.PathStats(p.ctx, what, o.split, tick)
	}
	if err := checkData(o.path, what); err != nil {
		return nil, err
	}
	if what == "babi" {
		for _, flag := range []string{"seed", "count", "set"} {
			if f.Changed(flag) {
				return nil, usagef("data stats: --%s changes nothing of bAbI: whole files are described", flag)
			}
		}
		return data.BabiStats(p.ctx, o.path, o.split, tick)
	}
	entry, settings, err := taskSettings(what, o.set)
	if err != nil {
		return nil, err
	}
	split := datasets.Train
	if o.split != "" {
		split, _ = datasets.ParseSplit(o.split)
	}
	src, err := openTask(entry, settings, datasets.Options{DataPath: o.path, Splits: []datasets.Split{split}})
	if err != nil {
		return nil, err
	}
	return data.TaskStats(p.ctx, src, split, o.seed, o.count, tick)
}
