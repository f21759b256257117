package main

import (
	"os"
	"strings"

	"memobench/cmd/memobench/data/survey"
	"memobench/datasets"
)

// dataStats describes a task or files by numbers.
func (p *program) dataStats(args []string) error {
	f := p.groupFlags("data stats TASK|PATH [flags]",
		`Describe data by numbers. Of a generated task: how often each kind of query comes,
rows of a memory, path lengths, what guessing achieves and what the memory allows
at most. Of bAbI: stories, questions, lengths, vocabulary, answers and supporting
facts of each task, of the files and of simulated stories side by side. Of the
released PAI shards: what their records hold. Of .npy files: shapes and ranges. A
path leads to any of these, or to what "memobench data gen" wrote.`,
		[2]string{"data stats babi", "the bAbI stories, files beside simulated ones"},
		[2]string{"data stats sp20-3-3 --set targets=random", "which share of ambiguous paths can be known"},
		[2]string{"data stats released/length3 --per-shard 10", "the released shards, ten records of each"},
		[2]string{"data stats pai3 --split test --json", "pairs, as JSON"})
	var o survey.Options
	var set []string
	var data string
	var quiet, asJSON bool
	f.StringVar(&o.Split, "split", "", "`SPLIT` to describe: train, validation or test (default: train, of written examples all)")
	f.Uint64Var(&o.Seed, "seed", 0, "seed of a task's examples (default 0)")
	f.IntVar(&o.Examples, "count", 10_000, "`NUMBER` of a task's examples")
	f.StringArrayVar(&set, "set", nil, "change a setting of a task, as `KEY=VALUE`; may be given several times (keys: memobench ls -v)")
	f.StringVar(&data, "data", "", "`PATH` of the data, for tasks that read files")
	f.IntVar(&o.PerShard, "per-shard", 0, "`NUMBER` of records of each released shard (default: all)")
	f.BoolVar(&quiet, "quiet", false, "no progress")
	f.BoolVar(&asJSON, "json", false, "print the result as JSON")
	if err := f.parse(args, "a task or a path"); err != nil {
		return err
	}
	what, err := f.one("a task or a path", "babi")
	if err != nil {
		return err
	}
	if o.Split != "" {
		if _, err := datasets.ParseSplit(o.Split); err != nil {
			return usagef("data stats: --split: %w", err)
		}
	}
	if o.Examples < 1 || o.Examples > datasets.MaxPerKind || o.PerShard < 0 {
		return usagef("data stats: --count wants 1 to %d, --per-shard 0 or more", datasets.MaxPerKind)
	}
	m := p.meter("reading", quiet)
	o.Tick = func(words string, done, total int) { m.show(words, int64(done), int64(total)) }
	s, err := p.survey(f, what, set, data, o)
	m.close()
	if err != nil {
		return p.stopped(err, "nothing is changed", "stats", args)
	}
	if asJSON {
		return p.printJSON(s)
	}
	return s.WriteText(p.stdout)
}

// survey describes a task, or else a path.
func (p *program) survey(f *flagSet, what string, set []string, data string, o survey.Options) (*survey.Survey, error) {
	if _, isTask := datasets.Lookup(what); !isTask {
		if _, err := os.Stat(what); err != nil && !strings.ContainsAny(what, `/\.`) {
			return nil, unknown("task or path", what, datasets.Names())
		}
		for _, flag := range []string{"seed", "count", "set", "data"} {
			if f.Changed(flag) {
				return nil, usagef("data stats: --%s is for tasks, and %s is a path", flag, what)
			}
		}
		return survey.Path(p.ctx, what, o)
	}
	if err := checkData(data, what); err != nil {
		return nil, err
	}
	if what == "babi" {
		for _, flag := range []string{"seed", "count", "set"} {
			if f.Changed(flag) {
				return nil, usagef("data stats: --%s changes nothing of bAbI: whole files are described", flag)
			}
		}
		return survey.Babi(p.ctx, data, o)
	}
	entry, settings, err := taskSettings(what, set)
	if err != nil {
		return nil, err
	}
	open := datasets.Options{DataPath: data, Splits: []datasets.Split{datasets.Train}}
	if o.Split != "" {
		open.Splits[0], _ = datasets.ParseSplit(o.Split)
	}
	src, err := openTask(entry, settings, open)
	if err != nil {
		return nil, err
	}
	return survey.Task(p.ctx, src, o)
}
