package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"memobench/cmd/memobench/data"
)

// dataGen writes a generated dataset.
func (p *program) dataGen(args []string) error {
	f := p.groupFlags("data gen TASK --out DIR [flags]",
		`Write a generated dataset into a new directory, which is there with all of its
files or not at all. bAbI stories are written in their standard format; pairs and
shortest paths as JSON lines, one example a line; generated embeddings as .npy
tables with class ids, which the tasks pai3-npy to pai5-npy read, and the examples
about them as JSON lines: the items that the examples name, or with --all-items all
of them. dataset.json names task, settings, seed and fingerprint, SCHEMA.md explains
every key. More than 1 GB is written only with --large.`,
		[2]string{"data gen pai3 --out data/pai3", "10,000 examples to train, 1,000 to validate and to test"},
		[2]string{"data gen sp --out data/sp --set nodes=30 --set labels=random --count 500", "shortest paths in graphs of another size"},
		[2]string{"data gen babi --out data/babi-told --set tasks=1,15-16 --seed 7", "simulated stories of three tasks"},
		[2]string{"data gen pai3-embeddings --out data/emb --count 1000", "memories and the items in them, 0.2 GB"},
		[2]string{"data gen pai3-embeddings --out data/all --all-items --large", "all items of the paper's sizes, 5 GB"})
	var out string
	var seed uint64
	var set []string
	var count int
	var allItems, large, quiet, asJSON bool
	f.StringVar(&out, "out", "", "new directory, `DIR`")
	f.Uint64Var(&seed, "seed", 0, "`NUMBER`, the seed of the examples (default 0)")
	f.StringArrayVar(&set, "set", nil, "change a setting of the task, as `KEY=VALUE`; may be given several times (keys: memobench ls -v)")
	f.IntVar(&count, "count", 10_000, "`NUMBER` of training examples, for bAbI of training questions of each task; validation and test have a tenth of it each")
	f.BoolVar(&allItems, "all-items", false, "of generated embeddings write all items, not only those that the examples name")
	f.BoolVar(&large, "large", false, "write it even if it takes more than 1 GB")
	f.BoolVar(&quiet, "quiet", false, "no progress")
	f.BoolVar(&asJSON, "json", false, "print the header as JSON")
	if err := f.parse(args, "a task"); err != nil {
		return err
	}
	task, err := f.one("a task", "pai3 --out data/pai3")
	if err != nil {
		return err
	}
	if err := required(f, "out", "data/"+task); err != nil {
		return err
	}
	if count < 1 {
		return usagef("data gen: --count %d: want 1 or more", count)
	}
	entry, settings, err := taskSettings(task, set)
	if err != nil {
		return err
	}
	plan, err := data.NewPlan(task, entry, settings)
	if err != nil {
		return usagef("data gen: %w", err)
	}
	tenth := max(1, count/10)
	plan.Seed, plan.Counts, plan.AllItems = seed, [3]int{count, tenth, tenth}, allItems
	size, err := plan.Size()
	if err != nil {
		return err
	}
	switch about := "about " + bytesOf(size); {
	case allItems && !plan.HasItems():
		return usagef("data gen: --all-items is for generated embeddings, and %s has none", task)
	case size > largeSize && !large && allItems:
		return usagef("data gen: %s with all items takes %s: --large writes it all the same, without --all-items it is less", task, about)
	case size > largeSize && !large:
		return usagef("data gen: %d examples of %s take %s: --large writes them all the same, a smaller --count is less", count, task, about)
	case size > announcedSize && !quiet:
		fmt.Fprintf(p.stderr, "%s takes %s\n", out, about)
	}
	tick, stop := p.ticks("writing "+out, quiet)
	h, err := data.Write(p.ctx, out, plan, tick)
	stop()
	if err != nil {
		return p.stopped(err, "nothing was written", "gen", args)
	}
	if asJSON {
		return p.printJSON(h)
	}
	return p.printWritten(out, h, entry.ReadBy)
}

// Above announcedSize bytes the size is printed before anything is written, above
// largeSize nothing is written unless that is asked for.
const (
	announcedSize = 100_000_000
	largeSize     = 1_000_000_000
)

// printWritten prints what was written, and the flags that read it.
func (p *program) printWritten(dir string, h *data.Header, readBy string) error {
	counts := map[string]int{}
	var size int64
	for _, f := range h.Files {
		if f.Content != data.ContentClasses && f.Content != data.ContentText {
			counts[f.Content] += f.Count
		}
		size += f.Bytes
	}
	var parts []string
	for _, c := range []struct{ content, what string }{{data.ContentExamples, "examples"}, {data.ContentItems, "items"}, {data.ContentStories, "questions"}} {
		if n := counts[c.content]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, c.what))
		}
	}
	w := p.stdout
	fmt.Fprintf(w, "%s: %s, seed %d, %s in %d files, %s; fingerprint %s\n", dir, h.Task, h.Seed, strings.Join(parts, " and "), len(h.Files)+1, bytesOf(size), h.Fingerprint)
	for _, l := range h.Labels {
		fmt.Fprintf(w, "label: %s\n", l)
	}
	if readBy != "" {
		more := ""
		if list := h.Settings["tasks"]; list != "" && list != "all" {
			more = " --set tasks=" + list
		}
		fmt.Fprintf(w, "To train on it: %s --data %s%s\n", readBy, quote(dir), more)
	}
	_, err := fmt.Fprintf(w, "What the files hold: %s\n", filepath.Join(dir, data.SchemaName))
	return err
}
