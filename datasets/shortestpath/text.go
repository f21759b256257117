package shortestpath

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"memobench/datasets"
)

// Print implements datasets.Printer: the path in b.Targets, the number of shortest paths, and the
// successors of each node.
func (src *Source) Print(w io.Writer, b *datasets.Batch, i int) error {
	e := read(b, i)
	_, paths := e.search(e.source)
	path := slices.Concat([]int32{e.source}, b.Targets[i*b.Answers:(i+1)*b.Answers], []int32{e.destination})
	_, err := fmt.Fprintf(w, "path from %d to %d in %d edges: %s (shortest paths: %.0f)\n", e.source, e.destination, len(path)-1, join(path, " -> "), paths[e.destination])
	for _, u := range slices.Sorted(maps.Keys(e.to)) {
		_, err = fmt.Fprintf(w, "%6d -> %s\n", u, join(e.to[u], " "))
	}
	return err
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
	for r := b.Offsets[i]; r < b.Offsets[i+1]; r++ {
		memory = append(memory, fmt.Sprintf("There is an edge from %d to %d.", b.Rows[r*rowWidth], b.Rows[r*rowWidth+1]))
	}
	question = fmt.Sprintf("The shortest path from %d to %d has %d edges. Which nodes are between them, in order?", e.source, e.destination, b.Answers+1)
	return memory, question, join(b.Targets[i*b.Answers:(i+1)*b.Answers], " "), nil, nil
}

// QuestionForm implements datasets.QuestionParser.
func (src *Source) QuestionForm() string {
	return "edges, then source and destination: 0 1 / 1 2 / 1 3 / 0 ? 2"
}

// ParseQuestion implements datasets.QuestionParser. Nodes are numbers, as in the data.
func (src *Source) ParseQuestion(b *datasets.Batch, memory []string, query string) (func(int32) string, error) {
	if most := src.Dimensions.MaxRows; len(memory) == 0 || len(memory) > most {
		return nil, fmt.Errorf("shortestpath: %d edges, want 1 to %d", len(memory), most)
	}
	src.reset(b)
	if err := datasets.ReadQuestion(b, "edge", memory, query, src.nodes); err != nil {
		return nil, fmt.Errorf("shortestpath: %w", err)
	}
	return func(id int32) string { return strconv.Itoa(int(id)) }, nil
}

// nodes parses the two nodes of a line.
func (src *Source) nodes(line string, _ int) ([]int32, error) {
	words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t?,->", r) })
	if len(words) != 2 {
		return nil, fmt.Errorf("%d nodes, want 2", len(words))
	}
	limit := src.settings.Nodes
	if src.settings.Labels == labelsRandom {
		limit = src.settings.Vocabulary
	}
	var ids []int32
	for _, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil || n < 0 || n >= limit {
			return nil, fmt.Errorf("node %q, want a number from 0 to %d", w, limit-1)
		}
		ids = append(ids, int32(n))
	}
	return ids, nil
}

// example is an example of a batch.
type example struct {
	source, destination int32
	to                  map[int32][]int32 // ends of the edges from each node, in the order of their words
}

// read returns example i of b.
func read(b *datasets.Batch, i int) *example {
	e := &example{b.Queries[i*queryWidth], b.Queries[i*queryWidth+1], map[int32][]int32{}}
	for r := b.Offsets[i]; r < b.Offsets[i+1]; r++ {
		from := b.Rows[r*rowWidth]
		e.to[from] = append(e.to[from], b.Rows[r*rowWidth+1])
	}
	for _, ends := range e.to {
		slices.Sort(ends)
	}
	return e
}

// search returns the length of the shortest paths from a node to every node that they reach, and how many
// there are.
func (e *example) search(from int32) (distance map[int32]int, paths map[int32]float64) {
	distance, paths = map[int32]int{from: 0}, map[int32]float64{from: 1}
	for queue := []int32{from}; len(queue) > 0; queue = queue[1:] {
		u := queue[0]
		for _, v := range e.to[u] {
			if _, reached := distance[v]; !reached {
				distance[v] = distance[u] + 1
				queue = append(queue, v)
			}
			if distance[v] == distance[u]+1 {
				paths[v] += paths[u]
			}
		}
	}
	return distance, paths
}

// Accepts implements datasets.AnswerChecker: a node is right at position a if it is a+1
// edges from the source on some shortest path. The nodes are right as a whole if edges
// connect them from the source to the destination. Two nodes may be right on different paths
// and not right as a whole.
func (src *Source) Accepts(b *datasets.Batch, i int, answers []int32, each []bool) bool {
	e := read(b, i)
	distance, _ := e.search(e.source)
	length, last := distance[e.destination], e.source
	whole := length == len(answers)+1
	for a, v := range answers {
		toEnd, _ := e.search(v)
		rest, reaches := toEnd[e.destination]
		each[a] = reaches && distance[v] == a+1 && a+1+rest == length
		whole = whole && slices.Contains(e.to[last], v)
		last = v
	}
	return whole && slices.Contains(e.to[last], e.destination)
}
