package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"memobench/benchmarks/printable"
	"memobench/cmd/memobench/data"
	"memobench/datasets"
)

// dataGen writes generated files in a task's own format.
func (p *program) dataGen(args []string) error {
	f := p.groupFlags("data gen TASK --out DIR [flags]",
		`Write generated files in the format that a task reads, into a new directory, which is
there with all of its files or not at all: bAbI stories in their standard format, and
embeddings as .npy tables with class ids, which the tasks pai3-npy to pai5-npy read.
dataset.json names task, settings, seed and fingerprint, SCHEMA.md explains every key.
More than 1 GB is written only with --large. The examples of any task, as a model sees
them, are written by memobench data export.`,
		[2]string{"data gen babi --out data/babi-told --set tasks=1,15-16 --seed 7", "simulated stories of three tasks"},
		[2]string{"data gen pai3-embeddings --out data/emb --set train_items=20000", "embeddings, fewer of them to train"},
		[2]string{"data gen pai3-embeddings --out data/all --large", "all items of the paper's sizes, 5 GB"})
	var w dataWriter
	var seed uint64
	var set []string
	var count int
	w.add(f)
	f.Uint64Var(&seed, "seed", 0, "`NUMBER`, the seed of the stories (default 0)")
	f.StringArrayVar(&set, "set", nil, "change a setting of the task, as `KEY=VALUE`; may be given several times (keys: memobench ls -v)")
	f.IntVar(&count, "count", 10_000, "`NUMBER` of training questions of each bAbI task; test has a tenth of it")
	task, err := f.one(args, "a task", "babi --out data/babi-told")
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
	plan, err := data.FilesOf(task, entry, settings)
	if err != nil {
		return usagef("data gen: %w", err)
	}
	for _, flag := range []string{"seed", "count"} {
		if f.Changed(flag) && !entry.ReadsData {
			return usagef("data gen: --%s is for stories; what changes the data of %s is its settings, see memobench ls -v", flag, task)
		}
	}
	plan.Seed, plan.Train, plan.Test = seed, count, max(1, count/10)
	return p.writeData(&w, plan, "gen", args)
}

// dataWriter has the flags for writing a dataset.
type dataWriter struct {
	out                string
	large, quiet, json bool
}

func (w *dataWriter) add(f *flagSet) {
	f.StringVar(&w.out, "out", "", "new directory, `DIR`")
	f.BoolVar(&w.large, "large", false, "write it even if it takes more than 1 GB")
	f.BoolVar(&w.quiet, "quiet", false, "no progress")
	f.BoolVar(&w.json, "json", false, "print the header as JSON")
}

// writeData writes the planned dataset, unless it is too large.
func (p *program) writeData(w *dataWriter, plan data.Plan, command string, args []string) error {
	size, err := plan.Size()
	if err != nil {
		return err
	}
	switch about := "about " + printable.Bytes(size); {
	case size > largeSize && !w.large:
		return usagef("data %s: %s takes %s: --large writes it all the same", command, plan.Task, about)
	case size > announcedSize && !w.quiet:
		fmt.Fprintf(p.stderr, "%s takes %s\n", w.out, about)
	}
	tick, stop := p.ticks("writing "+w.out, w.quiet)
	h, err := data.Write(p.ctx, w.out, plan, tick)
	stop()
	if err != nil {
		return p.stopped(err, "nothing was written", args, "data", command)
	}
	if w.json {
		return p.printJSON(h)
	}
	return p.printWritten(w.out, h)
}

// Above announcedSize bytes the size is printed before writing, above largeSize writing
// requires a flag.
const (
	announcedSize = 100_000_000
	largeSize     = 1_000_000_000
)

// printWritten prints what was written, and the flags that read it.
func (p *program) printWritten(dir string, h *data.Header) error {
	var parts []string
	var size int64
	questions := map[string]int{} // of all tasks by split
	for _, f := range h.Files {
		if f.Content == data.ContentStories {
			questions[f.Split] += f.Count
		}
	}
	for _, f := range h.Files {
		what, count := "examples", f.Count
		switch f.Content {
		case data.ContentItems:
			what = "items"
		case data.ContentStories:
			what, count = "questions", questions[f.Split]
		case data.ContentClasses, data.ContentText:
			what = ""
		}
		if part := fmt.Sprintf("%d %s %s", count, f.Split, what); what != "" && !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
		size += f.Bytes
	}
	w := p.stdout
	fmt.Fprintf(w, "%s: %s, seed %d, %s in %d files, %s; fingerprint %s", dir, h.Task, h.Seed, strings.Join(parts, ", "), len(h.Files)+1, printable.Bytes(size), h.Fingerprint)
	if h.Protocol != nil {
		fmt.Fprintf(w, ", protocol %s", h.Protocol.Hash)
	}
	fmt.Fprintln(w)
	for _, l := range h.Labels {
		fmt.Fprintf(w, "label: %s\n", l)
	}
	if entry, _ := datasets.Lookup(h.Task); h.Protocol == nil && entry.ReadBy != "" {
		more := ""
		if list := h.Settings["tasks"]; list != "" && list != "all" {
			more = " --set tasks=" + list
		}
		fmt.Fprintf(w, "To train on it: %s --data %s%s\n", entry.ReadBy, quote(dir), more)
	}
	_, err := fmt.Fprintf(w, "What the files hold: %s\n", filepath.Join(dir, data.SchemaName))
	return err
}
