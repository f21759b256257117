package shortestpath

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"memobench/datasets"
)

// Print implements datasets.Printer. It lists the nodes by distance from the source, each with
// its successors, and puts the path in b.Targets in brackets.
func (src *Source) Print(w io.Writer, b *datasets.Batch, i int) error {
	if i < 0 || i >= b.Size() {
		return fmt.Errorf("shortestpath: no example %d in a batch of %d", i, b.Size())
	}
	if err := b.Validate(src.Shape()); err != nil {
		return fmt.Errorf("shortestpath: %w", err)
	}
	e := read(b, i)
	path := slices.Concat([]int32{e.source}, b.Targets[i*b.Answers:(i+1)*b.Answers], []int32{e.destination})
	var out bytes.Buffer
	fmt.Fprintf(&out, "path from %d to %d in %d edges: %s%s\n", e.source, e.destination, len(path)-1, join(path, " -> "), e.alternatives())
	table := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "distance\tnode\tedges to")
	for _, u := range e.nodes(path) {
		distance := "-"
		if d, reached := e.distance[u]; reached {
			distance = strconv.Itoa(d)
		}
		at := slices.Index(path, u)
		var to []string
		for _, v := range e.from(u) {
			to = append(to, mark(v, at >= 0 && at+1 < len(path) && path[at+1] == v))
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", distance, mark(u, at >= 0), strings.Join(to, " "))
	}
	table.Flush() // to a buffer, which takes everything
	_, err := w.Write(out.Bytes())
	return err
}

// alternatives states the number of shortest paths to the destination.
func (e *example) alternatives() string {
	switch n := e.paths[e.destination]; n {
	case 0:
		return " (not reached)"
	case 1:
		return " (the only shortest path)"
	default:
		return fmt.Sprintf(" (one of %.0f shortest paths)", n)
	}
}

// nodes lists all nodes by distance from the source, then those on path first, then by word.
// Unreachable nodes come last.
func (e *example) nodes(path []int32) []int32 {
	all := append([]int32{}, path...)
	for u, v := range e.each {
		all = append(all, u, v)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	rank := func(u int32) int {
		d, reached := e.distance[u]
		if !reached {
			d = len(all)
		}
		if slices.Contains(path, u) {
			return 2 * d
		}
		return 2*d + 1
	}
	slices.SortStableFunc(all, func(u, v int32) int { return rank(u) - rank(v) })
	return all
}

// from returns the successors of u in the order of their words.
func (e *example) from(u int32) []int32 {
	var to []int32
	for a, b := range e.each {
		if a == u {
			to = append(to, b)
		}
	}
	slices.Sort(to)
	return to
}

func mark(u int32, marked bool) string {
	if marked {
		return fmt.Sprintf("[%d]", u)
	}
	return strconv.Itoa(int(u))
}

func join(nodes []int32, sep string) string {
	text := make([]string, len(nodes))
	for i, u := range nodes {
		text[i] = strconv.Itoa(int(u))
	}
	return strings.Join(text, sep)
}

// Verbalize implements datasets.Verbalizer.
func (src *Source) Verbalize(b *datasets.Batch, i int) (memory []string, question, answer string, choices []string, err error) {
	e := read(b, i)
	for u, v := range e.each {
		memory = append(memory, fmt.Sprintf("There is an edge from %d to %d.", u, v))
	}
	question = fmt.Sprintf("The shortest path from %d to %d has %d edges. Which nodes are between them, in order?", e.source, e.destination, b.Answers+1)
	return memory, question, join(b.Targets[i*b.Answers:(i+1)*b.Answers], " "), nil, nil
}
