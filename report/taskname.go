package report

import (
	"fmt"
	"slices"
	"strings"

	"memobench/benchmarks/record"
)

// Ends of the names of paired associative inference on other items than class
// symbols.
const (
	embeddings = "-embeddings"
	npy        = "-npy"
	released   = "-released"
)

// taskTitle is a task's name for a title.
func taskTitle(r *record.Record) string {
	task := taskOf(r)
	get := func(key string) string { return r.Dataset.Settings[key] }
	switch {
	case pai(task):
		on := ""
		for suffix, items := range map[string]string{
			embeddings: " on generated embeddings", npy: " on own embeddings", released: " on the released files",
		} {
			if strings.HasSuffix(task, suffix) {
				on = items
			}
		}
		return fmt.Sprintf("Paired associative inference%s, chains of %s (%s)", on, strings.TrimPrefix(paperTask(task), "pai"), task)
	case path(task):
		return fmt.Sprintf("Shortest paths of %s edges, %s nodes, out-degree %s (%s)", get("length"), get("nodes"), get("degree"), task)
	case task == "babi" && get("source") == "simulated":
		return "bAbI question answering on simulated stories (babi)"
	case task == "babi":
		return "bAbI question answering (babi)"
	}
	return task
}

// variant names the choices that decide how hard the task is.
func (b *builder) variant() string {
	settings := b.runs[0].Record.Dataset.Settings
	switch {
	case pai(b.task):
		return paiVariant(settings)
	case path(b.task):
		return pathVariant(settings)
	}
	var list []string
	for key, v := range settings {
		list = append(list, key+" "+v)
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// choice returns the words for the value of a setting, the value itself where
// there are none, and "?" where it is not known.
func choice(settings map[string]string, key string, words map[string]string) string {
	v := settings[key]
	switch {
	case v == "":
		return "?"
	case words[v] != "":
		return words[v]
	}
	return v
}

func paiVariant(settings map[string]string) string {
	text := fmt.Sprintf("Rows %s, the two items of a row %s; ",
		choice(settings, "rows", map[string]string{"shuffled": "shuffled", "generation": "in generation order", "stored": "as stored"}),
		choice(settings, "items", map[string]string{"sequence": "in sequence order", "random": "in random order", "stored": "as stored"}))
	var sizes []string
	if settings["classes"] != "" || settings["answers"] == "" { // the released files have none
		sizes = append(sizes, choice(settings, "classes", nil)+" classes")
	}
	sizes = append(sizes, choice(settings, "sequences", nil)+" sequences a memory")
	if n := settings["features"]; n != "" {
		sizes = append(sizes, n+" features an item")
	}
	if settings["scale"] == "raw" {
		sizes = append(sizes, "not scaled")
	}
	return text + strings.Join(sizes, ", ")
}

func pathVariant(settings map[string]string) string {
	degree := choice(settings, "degree", nil)
	words := choice(settings, "nodes", nil) + " of " + choice(settings, "vocabulary", nil) + " words"
	return fmt.Sprintf("Directed edges to the nearest neighbours, %s; nodes named by %s; %s",
		choice(settings, "edges", map[string]string{"fixed": degree + " from each node", "uniform": "1 to " + degree + " from each node"}),
		choice(settings, "labels", map[string]string{
			"ids":    "the same " + words + " in every graph",
			"random": "a random " + words + " in each graph",
		}),
		choice(settings, "targets", map[string]string{
			"unique": "only pairs with a single shortest path are asked for",
			"random": "of several shortest paths a random one is the target",
		}))
}
