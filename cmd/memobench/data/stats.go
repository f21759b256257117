package data

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"memobench/datasets"
	"memobench/datasets/babi"
	"memobench/datasets/shortestpath"
)

// Stats is a short description of data.
type Stats struct {
	Examples []*ExampleStats `json:"examples,omitempty"`
	Stories  []StoryStats    `json:"stories,omitempty"`
	Notes    []string        `json:"notes,omitempty"` // missing files
}

// ExampleStats describes some examples of a task.
type ExampleStats struct {
	Task        string            `json:"task"`
	Settings    map[string]string `json:"settings"`
	Fingerprint string            `json:"fingerprint"`
	Labels      []string          `json:"labels"`
	Path        string            `json:"path,omitempty"` // of the file that they are from
	Split       string            `json:"split"`
	Seed        uint64            `json:"seed"`
	Examples    int               `json:"examples"`

	Kinds   []KindCount `json:"kinds"`
	Rows    RowCount    `json:"rows"`
	Answers AnswerStats `json:"answers"`

	src   datasets.Source
	count map[int32]int // by answer
	sure  float64       // expected number of examples whose answer the memory determines
}

// KindCount is a query type and how many examples are of it.
type KindCount struct {
	Kind     string `json:"kind"`
	Examples int    `json:"examples"`
}

// RowCount is the smallest, mean and largest number of rows of a memory.
type RowCount struct {
	Fewest int     `json:"fewest"`
	Mean   float64 `json:"mean"`
	Most   int     `json:"most"`
}

// AnswerStats says what guessing achieves and what the memory allows at most.
// Shares are 0 to 1.
type AnswerStats struct {
	Of           int     `json:"of"`                // different answers that are possible
	Distinct     int     `json:"distinct"`          // different answers that occur
	MostFrequent float64 `json:"most_frequent"`     // share of the most frequent one
	Shown        int     `json:"shown,omitempty"`   // answers offered in the query
	Chance       float64 `json:"chance"`            // share by guessing among all
	Ceiling      float64 `json:"ceiling,omitempty"` // share that the memory determines; absent where that is not known
}

// TaskStats describes the first n examples that a source draws with a seed.
func TaskStats(ctx context.Context, src datasets.Source, split datasets.Split, seed uint64, n int, tick Tick) (*Stats, error) {
	s := newExampleStats(src, split.String(), seed)
	var b datasets.Batch
	for step := 0; s.Examples < n; step++ {
		tick.show(s.Task, s.Examples, n)
		if err := src.Batch(&b, split, seed, step, batchSize); err != nil {
			return nil, err
		}
		for i := range min(batchSize, n-s.Examples) {
			if err := s.add(&b, i); err != nil {
				return nil, err
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return &Stats{Examples: []*ExampleStats{s.finish()}}, nil
}

// PathStats describes what is at a path: bAbI files, or a generated dataset,
// whose examples are read, of one split or, where split is empty, of all.
func PathStats(ctx context.Context, path, split string, tick Tick) (*Stats, error) {
	found, err := findData(path)
	switch {
	case err != nil:
		return nil, err
	case found.dataset != "":
		return datasetStats(ctx, found, split, tick)
	case len(found.stories) == 0 && len(found.shards) > 0:
		return nil, fmt.Errorf("%s: released PAI shards: memobench data stats pai3-released --data DIR describes them (pai4-released those of length 4), data validate checks and counts their records", path)
	case len(found.stories) == 0:
		return nil, fmt.Errorf("%s: .npy files: memobench data stats pai3-npy --data DIR describes the examples that are made of them, data validate checks the files", path)
	}
	return BabiStats(ctx, path, split, tick)
}

// datasetStats describes what Write wrote.
func datasetStats(ctx context.Context, found *contents, split string, tick Tick) (*Stats, error) {
	d, err := Open(found.dataset)
	if err != nil {
		return nil, err
	}
	if d.Header.Form == FormStories {
		list, _, err := babi.Files(found.dataset)
		if err != nil {
			return nil, err
		}
		s, _, err := storyStats(ctx, list, true, split, tick)
		return s, err
	}
	src, _, err := d.Source()
	if err != nil {
		return nil, err
	}
	out := &Stats{}
	for i := range d.Header.Files {
		f := &d.Header.Files[i]
		if f.Content != ContentExamples || split != "" && split != f.Split || found.only != "" && found.only != f.Name {
			continue
		}
		s := newExampleStats(src, f.Split, d.Header.Seed)
		s.Path = d.Path(f)
		var first error
		n := d.Scan(f, func(b *datasets.Batch) error {
			tick.show(s.Path, s.Examples, f.Count)
			if err := ctx.Err(); err != nil {
				return err
			}
			return s.add(b, 0)
		}, func(err error) {
			if first == nil {
				first = err
			}
		})
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case first != nil:
			return nil, first
		case n != f.Count:
			out.Notes = append(out.Notes, fmt.Sprintf("%s: %d examples, the header says %d", s.Path, n, f.Count))
		}
		out.Examples = append(out.Examples, s.finish())
	}
	if out.Examples == nil {
		return nil, fmt.Errorf("%s: no examples of the %s split", found.dataset, split)
	}
	return out, nil
}

func newExampleStats(src datasets.Source, split string, seed uint64) *ExampleStats {
	spec, classes := src.Spec(), src.Shape().Vocabulary
	s := &ExampleStats{Task: spec.Task, Settings: spec.Settings, Fingerprint: spec.Hash, Labels: append([]string{}, spec.Caveats.Texts()...),
		Split: split, Seed: seed, src: src, count: map[int32]int{}}
	for _, k := range src.Kinds() {
		s.Kinds = append(s.Kinds, KindCount{Kind: k})
	}
	s.Rows.Fewest = math.MaxInt
	s.Answers.Of, s.Answers.Chance = classes, 1/float64(classes)
	return s
}

// add counts example i of a batch.
func (s *ExampleStats) add(b *datasets.Batch, i int) error {
	s.Examples++
	s.Kinds[b.Kinds[i]].Examples++
	rows := b.Offsets[i+1] - b.Offsets[i]
	s.Rows.Fewest, s.Rows.Most = min(s.Rows.Fewest, rows), max(s.Rows.Most, rows)
	s.Rows.Mean += float64(rows)
	s.Answers.Shown = b.NumChoices
	for _, t := range b.Targets[i*b.Answers : (i+1)*b.Answers] {
		s.count[t]++
	}
	switch src := s.src.(type) {
	case interface {
		Paths(b *datasets.Batch, i int) (shortestpath.Paths, error)
	}:
		p, err := src.Paths(b, i)
		if err != nil {
			return err
		}
		s.sure += p.Whole
	case interface {
		Verify(b *datasets.Batch, i int) error
	}:
		if src.Verify(b, i) == nil {
			s.sure++
		}
	}
	return nil
}

// finish turns sums into means.
func (s *ExampleStats) finish() *ExampleStats {
	n := float64(max(s.Examples, 1))
	if s.Examples == 0 {
		s.Rows.Fewest = 0
	}
	s.Rows.Mean /= n
	s.Answers.Distinct, s.Answers.MostFrequent = distinct(s.count)
	s.Answers.Ceiling = s.sure / n
	return s
}

// distinct returns how many different things were counted, and the share of the
// most frequent one.
func distinct[K comparable](count map[K]int) (n int, mostFrequent float64) {
	most, all := 0, 0
	for _, c := range count {
		most, all = max(most, c), all+c
	}
	return len(count), float64(most) / float64(max(all, 1))
}

// WriteText writes the description for a reader.
func (s *Stats) WriteText(w io.Writer) error {
	var b strings.Builder
	for i, e := range s.Examples {
		if i > 0 {
			b.WriteByte('\n')
		}
		e.write(&b)
	}
	if len(s.Stories) > 0 {
		writeStoryStats(&b, s.Stories)
	}
	for _, n := range s.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (s *ExampleStats) write(b *strings.Builder) {
	from := fmt.Sprintf("drawn with seed %d", s.Seed)
	if s.Path != "" {
		from = "of " + s.Path
	}
	fmt.Fprintf(b, "%s, %s split: %d examples %s; fingerprint %s\n", s.Task, s.Split, s.Examples, from, s.Fingerprint)
	var settings []string
	for _, key := range slices.Sorted(maps.Keys(s.Settings)) {
		settings = append(settings, key+"="+s.Settings[key])
	}
	fmt.Fprintf(b, "settings: %s\n", strings.Join(settings, ", "))
	for _, l := range s.Labels {
		fmt.Fprintf(b, "label: %s\n", l)
	}
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, k := range s.Kinds {
		fmt.Fprintf(t, "  kind %s\t%d examples, %s\n", k.Kind, k.Examples, percent(float64(k.Examples)/float64(max(s.Examples, 1))))
	}
	if s.Rows.Fewest == s.Rows.Most {
		fmt.Fprintf(t, "  rows of a memory\t%d\n", s.Rows.Most)
	} else {
		fmt.Fprintf(t, "  rows of a memory\t%d to %d, mean %.2f\n", s.Rows.Fewest, s.Rows.Most, s.Rows.Mean)
	}
	a := &s.Answers
	fmt.Fprintf(t, "  answers\t%d distinct of %d, the most frequent %s\n", a.Distinct, a.Of, percent(a.MostFrequent))
	fmt.Fprintf(t, "  chance\t%s among all", percent(a.Chance))
	if a.Shown > 0 {
		fmt.Fprintf(t, ", %s among the %d shown", percent(1/float64(a.Shown)), a.Shown)
	}
	fmt.Fprintln(t)
	if a.Ceiling > 0 {
		fmt.Fprintf(t, "  ceiling\t%s: answers that the memory determines\n", percent(a.Ceiling))
	}
	t.Flush() // to a builder, which takes everything
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }
