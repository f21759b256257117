package main

import (
	"memobench/cmd/memobench/data"
	"memobench/datasets"
	"memobench/datasets/babi"
)

// dataShow prints a few examples of a task.
func (p *program) dataShow(args []string) error {
	f := p.groupFlags("data show TASK [flags]",
		`Print a few examples of a task with their answers: a story with its question and
the statements that support the answer, a memory of pairs in which the chain of the
query is marked, a graph with its path.`,
		[2]string{"data show babi --kind 2", "questions of the second bAbI task"},
		[2]string{"data show pai3 --kind A-C -n 1", "a query that takes inference"},
		[2]string{"data show sp --set nodes=8 --set length=3 --seed 4", "paths in small graphs"},
		[2]string{"data show babi --data mine.txt --json", "stories of your own, as JSON"})
	var pick data.Pick
	var split, path string
	var set []string
	var asJSON bool
	f.StringVar(&pick.Kind, "kind", "", "`KIND` of query, or number of a bAbI task (default: any)")
	f.IntVarP(&pick.N, "number", "n", 3, "`NUMBER` of examples")
	f.Uint64Var(&pick.Seed, "seed", 0, "`NUMBER`, the seed of the choice (default 0)")
	f.StringVar(&split, "split", "test", "`SPLIT` to show: train, validation or test")
	f.StringArrayVar(&set, "set", nil, "change a setting of the task, as `KEY=VALUE`; may be given several times (keys: memobench ls -v)")
	f.StringVar(&path, "data", "", "`PATH` of the data, for tasks that read files")
	f.BoolVar(&asJSON, "json", false, "print the examples as JSON")
	if err := f.parse(args, "a task"); err != nil {
		return err
	}
	task, err := f.one("a task", "babi --kind 2")
	if err != nil {
		return err
	}
	if pick.Split, err = datasets.ParseSplit(split); err != nil {
		return usagef("data show: --split: %w", err)
	}
	if pick.N < 1 || pick.N > maxShown {
		return usagef("data show: --number %d: want 1 to %d", pick.N, maxShown)
	}
	entry, settings, err := taskSettings(task, set)
	if err != nil {
		return err
	}
	if err := checkData(path, task); err != nil {
		return err
	}
	if task == "babi" {
		if len(set) > 0 {
			return usagef("data show: --set changes nothing of bAbI here: --kind chooses a task")
		}
		return p.showStories(path, pick, asJSON)
	}
	src, err := openTask(entry, settings, datasets.Options{DataPath: path, Splits: []datasets.Split{pick.Split}})
	if err != nil {
		return err
	}
	if !asJSON {
		return data.WriteExamples(p.stdout, src, pick)
	}
	list, err := data.DrawExamples(src, pick)
	if err != nil {
		return err
	}
	return p.printJSON(list)
}

// maxShown is more than anyone reads.
const maxShown = 10_000

func (p *program) showStories(path string, pick data.Pick, asJSON bool) error {
	list, simulated, err := babi.Files(path)
	if err != nil {
		return err
	}
	stories, err := data.DrawStories(list, simulated, pick)
	if err != nil {
		return err
	}
	if asJSON {
		return p.printJSON(stories)
	}
	return data.WriteStories(p.stdout, stories, pick.Split)
}
