package data

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"memobench/datasets"
	"memobench/datasets/babi"
)

// Stats is a short description of some examples.
type Stats struct {
	Task        string            `json:"task"`
	Settings    map[string]string `json:"settings"`
	Fingerprint string            `json:"fingerprint"`
	Labels      []string          `json:"labels"`
	Split       string            `json:"split"`
	From        string            `json:"from"` // file, or seed
	Examples    int               `json:"examples"`
	Vocabulary  int               `json:"vocabulary"`      // different answers that are possible
	Shown       int               `json:"shown,omitempty"` // answers offered in a query
	Kinds       []KindStats       `json:"kinds"`
}

// KindStats describes the examples of one kind.
type KindStats struct {
	Kind         string  `json:"kind"`
	Examples     int     `json:"examples"`
	MeanRows     float64 `json:"mean_rows"` // of a memory
	MostRows     int     `json:"most_rows"`
	Answers      int     `json:"answers"`       // different ones that occur
	MostFrequent float64 `json:"most_frequent"` // share of the most frequent answer, 0 to 1

	count map[int32]int // by answer
}

// batchSize is the number of examples that are drawn at a time.
const batchSize = 64

// defaultCount is the default number of examples of a generator.
const defaultCount = 10_000

// Describe describes examples of a split: the first n of a generator with the seed; of
// finite data all, or about n, the same number of each kind. 0 is the default for n.
func Describe(ctx context.Context, src datasets.Source, split datasets.Split, seed uint64, n int, tick Tick) (*Stats, error) {
	spec := src.Spec()
	s := newStats(spec.Task, spec.Settings, spec.Hash, append([]string{}, spec.Caveats.Texts()...), src.Kinds())
	s.Split, s.From, s.Vocabulary = split.String(), fmt.Sprintf("seed %d", seed), src.Shape().Vocabulary
	if titled, ok := src.(datasets.KindTitled); ok {
		for k, title := range titled.KindTitles() {
			if title != s.Kinds[k].Kind {
				s.Kinds[k].Kind += " " + title
			}
		}
	}
	kinds, total := len(src.Kinds()), 0 // a total of 0 is unknown
	batches := src.Examine(split, seed, (n+kinds-1)/kinds, batchSize)
	for _, err := range src.Examine(split, seed, 0, 1) { // whether there is an end
		if errors.Is(err, datasets.ErrEndless) {
			total = cmp.Or(n, defaultCount)
			batches = endless(src, split, seed)
		}
		break
	}
	if n == 0 && total == 0 {
		s.From = "all"
	}
	for b, err := range batches {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		for i := range b.Size() {
			if s.add(b, i); s.Examples == total {
				return s.finish(), nil
			}
		}
		tick.show(s.Task, s.Examples, total)
	}
	return s.finish(), nil
}

// endless yields the batches of a generator.
func endless(src datasets.Source, split datasets.Split, seed uint64) iter.Seq2[*datasets.Batch, error] {
	return func(yield func(*datasets.Batch, error) bool) {
		var b datasets.Batch
		for step := 0; ; step++ {
			err := src.Batch(&b, split, seed, step, batchSize)
			if !yield(&b, err) {
				return
			}
		}
	}
}

// DescribePath describes the data at a path: bAbI files, or each file of examples of a
// generated dataset. An empty split means the test split, for written examples all.
func DescribePath(ctx context.Context, path, split string, tick Tick) ([]*Stats, error) {
	found, err := findData(path)
	switch {
	case err != nil:
		return nil, err
	case found.dataset != "":
		d, err := Open(found.dataset)
		if err != nil {
			return nil, err
		}
		if d.Header.Form == formExamples {
			return d.describe(ctx, found.only, split, tick)
		}
	case len(found.stories) == 0:
		return nil, fmt.Errorf("%s: released PAI shards or .npy files: data validate checks them, and data stats TASK --data PATH describes the examples of a task that reads them", path)
	}
	of := datasets.Test
	if split != "" {
		if of, err = datasets.ParseSplit(split); err != nil {
			return nil, err
		}
	}
	src, err := babi.Open(*babi.Defaults(), datasets.Options{DataPath: path, Splits: []datasets.Split{of}, Partial: true})
	if err != nil {
		return nil, err
	}
	s, err := Describe(ctx, src, of, 0, 0, tick)
	if err != nil {
		return nil, err
	}
	s.From = path
	return []*Stats{s}, nil
}

// describe describes each file of examples.
func (d *Dataset) describe(ctx context.Context, only, split string, tick Tick) ([]*Stats, error) {
	h := d.Header
	var list []*Stats
	for i := range d.Header.Files {
		f := &d.Header.Files[i]
		if f.Content != contentExamples || split != "" && split != f.Split || only != "" && only != f.Name {
			continue
		}
		s := newStats(h.Task, h.Settings, h.Fingerprint, h.Labels, h.Kinds)
		s.Split, s.From, s.Vocabulary = f.Split, d.path(f), h.Shape.Vocabulary
		var first error
		d.scan(f, func(b *datasets.Batch) error {
			s.add(b, 0)
			tick.show(s.From, s.Examples, f.Count)
			return ctx.Err()
		}, func(err error) {
			if first == nil {
				first = err
			}
		})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if first != nil {
			return nil, first
		}
		list = append(list, s.finish())
	}
	if list == nil {
		return nil, fmt.Errorf("%s: no examples of the %s split", d.Dir, split)
	}
	return list, nil
}

func newStats(task string, settings map[string]string, fingerprint string, labels, kinds []string) *Stats {
	s := &Stats{Task: task, Settings: settings, Fingerprint: fingerprint, Labels: labels}
	for _, name := range kinds {
		s.Kinds = append(s.Kinds, KindStats{Kind: name, count: map[int32]int{}})
	}
	return s
}

// add counts example i of a batch.
func (s *Stats) add(b *datasets.Batch, i int) {
	k := &s.Kinds[b.Kinds[i]]
	rows := b.Offsets[i+1] - b.Offsets[i]
	s.Examples, k.Examples = s.Examples+1, k.Examples+1
	k.MeanRows, k.MostRows = k.MeanRows+float64(rows), max(k.MostRows, rows)
	s.Shown = b.NumChoices
	for _, t := range b.Targets[i*b.Answers : (i+1)*b.Answers] {
		k.count[t]++
	}
}

// finish converts sums to means.
func (s *Stats) finish() *Stats {
	for i := range s.Kinds {
		k := &s.Kinds[i]
		all, most := 0, 0
		for _, n := range k.count {
			all, most = all+n, max(most, n)
		}
		k.MeanRows /= float64(max(k.Examples, 1))
		k.Answers, k.MostFrequent = len(k.count), float64(most)/float64(max(all, 1))
	}
	return s
}

// SettingsText lists settings in the order of their keys.
func SettingsText(settings map[string]string) string {
	var list []string
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		list = append(list, key+"="+settings[key])
	}
	return strings.Join(list, ", ")
}

// WriteText writes the description as text.
func (s *Stats) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s split: %d examples (%s); fingerprint %s\n", s.Task, s.Split, s.Examples, s.From, s.Fingerprint)
	fmt.Fprintf(&b, "settings: %s\n", SettingsText(s.Settings))
	for _, l := range s.Labels {
		fmt.Fprintf(&b, "label: %s\n", l)
	}
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "kind\texamples\trows, mean\tmost\tanswers\tmost frequent")
	for _, k := range s.Kinds {
		fmt.Fprintf(t, "%s\t%d\t%.2f\t%d\t%d\t%.1f %%\n", k.Kind, k.Examples, k.MeanRows, k.MostRows, k.Answers, 100*k.MostFrequent)
	}
	t.Flush() // to a builder, which takes everything
	fmt.Fprintf(&b, "chance: %.1f %% among all %d answers", 100/float64(s.Vocabulary), s.Vocabulary)
	if s.Shown > 0 {
		fmt.Fprintf(&b, ", %.1f %% among the %d shown", 100/float64(s.Shown), s.Shown)
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}
