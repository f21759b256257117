package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"memobench/cmd/memobench/data"
	"memobench/datasets"
	"memobench/datasets/babi"
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
	plan, err := generator(task, set)
	if err != nil {
		return err
	}
	tenth := max(1, count/10)
	plan.Seed, plan.Counts, plan.AllItems = seed, [3]int{count, tenth, tenth}, allItems
	size, err := plan.Size()
	if err != nil {
		return err
	}
	switch about := "about " + bytesOf(size); {
	case allItems && !strings.HasSuffix(task, "-embeddings"):
		return usagef("data gen: --all-items is for generated embeddings, and %s has none", task)
	case size > largeSize && !large && allItems:
		return usagef("data gen: %s with all items takes %s: --large writes it all the same, without --all-items it is less", task, about)
	case size > largeSize && !large:
		return usagef("data gen: %d examples of %s take %s: --large writes them all the same, a smaller --count is less", count, task, about)
	case size > announcedSize && !quiet:
		fmt.Fprintf(p.stderr, "%s takes %s\n", out, about)
	}
	m := p.meter("writing "+out, quiet)
	h, err := data.Write(p.ctx, out, plan, m.showCounts)
	m.close()
	if err != nil {
		return p.stopped(err, "nothing was written", "gen", args)
	}
	if asJSON {
		return p.printJSON(h)
	}
	return p.printWritten(out, h)
}

// Above announcedSize bytes the size is printed before anything is written, above
// largeSize nothing is written unless that is asked for.
const (
	announcedSize = 100_000_000
	largeSize     = 1_000_000_000
)

// generator plans a task that is generated.
func generator(task string, set []string) (data.Plan, error) {
	entry, settings, err := taskSettings(task, set)
	if err != nil {
		return data.Plan{}, err
	}
	plan := data.Plan{Task: task}
	if stories, ok := settings.(*babi.Settings); ok {
		for _, s := range set {
			if key, _, _ := strings.Cut(strings.TrimPrefix(s, "task."), "="); strings.TrimSpace(key) != "tasks" {
				return plan, usagef("data gen: --set %s: of bAbI only the setting tasks changes what is written", s)
			}
		}
		if _, err := stories.Numbers(); err != nil {
			return plan, usage(err)
		}
		plan.Babi = stories
		return plan, nil
	}
	if entry.ReadsData {
		names := slices.DeleteFunc(datasets.Names(), func(name string) bool {
			e, _ := datasets.Lookup(name)
			return e.ReadsData && name != "babi"
		})
		return plan, usagef("data gen: %s reads files and generates none; tasks that are generated: %s", task, strings.Join(names, ", "))
	}
	plan.Source, err = openTask(entry, settings, datasets.Options{})
	return plan, err
}

// printWritten prints what was written, and what can be done with it.
func (p *program) printWritten(dir string, h *data.Header) error {
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
	switch h.Form {
	case data.FormStories:
		tasks := ""
		if list := h.Settings["tasks"]; list != "all" {
			tasks = " --set tasks=" + list
		}
		fmt.Fprintf(w, "To train on these stories: --task babi --data %s%s\n", quote(dir), tasks)
	case data.FormEmbeddings:
		fmt.Fprintf(w, "The task %s reads these items: --data %s --set scale=raw\n", strings.Replace(h.Task, "-embeddings", "-npy", 1), quote(dir))
	}
	_, err := fmt.Fprintf(w, "What the files hold: %s\n", filepath.Join(dir, data.SchemaName))
	return err
}

// bytesOf is a size for a reader: 512 bytes, 1.5 MiB.
func bytesOf(n int64) string {
	if n < 1<<10 {
		return fmt.Sprintf("%d bytes", n)
	}
	x, unit := float64(n)/(1<<10), 0
	units := []string{"KiB", "MiB", "GiB", "TiB"}
	for ; x >= 1<<10 && unit+1 < len(units); unit++ {
		x /= 1 << 10
	}
	return fmt.Sprintf("%.1f %s", x, units[unit])
}
