package babi

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/datasettest"
	"memobench/datasets/must"
)

// sharesOf returns each kind's fraction of the training questions.
func sharesOf(t testing.TB, src *Source) []float64 {
	t.Helper()
	n := must.Get(src.Questions(datasets.Train))(t)
	total := 0.0
	for _, m := range n {
		total += float64(m)
	}
	var shares []float64
	for _, m := range n {
		shares = append(shares, float64(m)/total)
	}
	return shares
}

func TestContract(t *testing.T) {
	substitute := with("1-3")
	substitute.SubstituteTask3 = true
	short := with("1,2")
	short.MaxRows = 2
	distracted := with("1,2")
	distracted.Distractors = 3
	held := with("1,2")
	held.HeldOut = "anna+garden"
	for name, s := range map[string]Settings{
		"held out": held,
		"one task": with("1"), "joint": with("1,2"), "substitute": substitute, "short memory": short, "distractors": distracted,
	} {
		t.Run(name, func(t *testing.T) {
			opts := datasets.Options{DataPath: smallDir, Shifted: s.Distractors > 0}
			src := mustOpen(t, s, opts)
			suite := datasettest.Suite{
				New:     func() (datasets.Source, error) { return Open(s, opts) },
				Finite:  true,
				PerKind: 5,
				Shares:  sharesOf(t, src),
				// In the test files no two stories of a task start alike.
				Items: func(b *datasets.Batch) []string {
					var keys []string
					for i, k := range b.Kinds {
						first := b.Rows[b.Offsets[i]*b.RowWidth:][:b.RowWidth]
						if src.KindNames[k] != "3" { // whose substitute repeats stories of its test file here
							keys = append(keys, fmt.Sprint(k, first))
						}
					}
					return keys
				},
			}
			if s.MaxRows == 2 || s.Distractors > 0 {
				suite.Items = nil // the first statement may be dropped, or not of the story
			}
			datasettest.Run(t, suite)
		})
	}
}

// examined returns the questions of split in words: "kind: rows | query | answer".
func examined(t testing.TB, src *Source, split datasets.Split, perKind int) []string {
	t.Helper()
	text := func(ids []int32) string {
		var words []string
		for _, id := range ids {
			if id != datasets.NoWord {
				words = append(words, src.words[id])
			}
		}
		return strings.Join(words, " ")
	}
	var got []string
	for b, err := range src.Examine(split, 1, perKind, 3) {
		if err != nil {
			t.Fatal(err)
		}
		for i, k := range b.Kinds {
			var rows []string
			for r := b.Offsets[i]; r < b.Offsets[i+1]; r++ {
				rows = append(rows, text(b.Rows[r*b.RowWidth:(r+1)*b.RowWidth]))
			}
			query := text(b.Queries[i*b.QueryWidth : (i+1)*b.QueryWidth])
			got = append(got, fmt.Sprintf("%s: %s | %s | %s", src.KindNames[k], strings.Join(rows, ", "), query, src.words[b.Targets[i]]))
		}
	}
	return got
}

func TestQuestionsKeepFileOrderAndMemory(t *testing.T) {
	dir := writeFiles(t, map[string]string{
		"qa1_train.txt": "1 A b.\n2 C?\td\n",
		"qa1_test.txt":  "1 Old news.\n2 Mary sat.\n3 Who sat? \tMary\t2\n4 John ate.\n5 Who ate?\tjohn,mary\t4\n1 Eve ran.\n2 Who ran?\teve\t1\n",
	})
	opts := datasets.Options{DataPath: dir, Splits: []datasets.Split{datasets.Test}}
	want := []string{
		"1: old news, mary sat | who sat | mary",
		"1: old news, mary sat, john ate | who ate | john,mary",
		"1: eve ran | who ran | eve",
	}
	if got := examined(t, mustOpen(t, with("1"), opts), datasets.Test, 0); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}

	s := with("1")
	s.MaxRows = 2
	src := mustOpen(t, s, opts)
	want[1] = "1: mary sat, john ate | who ate | john,mary"
	if got := examined(t, src, datasets.Test, 0); !slices.Equal(got, want) {
		t.Errorf("memories of 2: got %q, want %q", got, want)
	}
	if l := src.Spec().Caveats.Texts(); !slices.Contains(l, "memory limited to the last 2 statements (paper: 320)") {
		t.Errorf("labels %q", l)
	}
}

func TestVocabularyCoversAllFilesWhateverTheTasks(t *testing.T) {
	one := mustOpen(t, with("1"), datasets.Options{DataPath: smallDir})
	both := mustOpen(t, with("1,2"), datasets.Options{DataPath: smallDir})
	words := one.Vocabulary()
	if !slices.Equal(words, both.Vocabulary()) {
		t.Errorf("task 1 has the words %q, tasks 1 and 2 have %q", words, both.Vocabulary())
	}
	if words[0] != "" || !slices.IsSorted(words) || !slices.Contains(words, "lamp,book") {
		t.Errorf("words %q", words)
	}
	if one.Spec().Hash == both.Spec().Hash {
		t.Error("one task and two have the same hash")
	}
}

func TestMaxRowsIsTheLimitForAllTasksAndMeasuredForSome(t *testing.T) {
	if got := mustOpen(t, with("1"), datasets.Options{DataPath: smallDir}).Shape().MaxRows; got != 3 {
		t.Errorf("task 1: %d rows, want 3", got)
	}
	if got := mustOpen(t, with("1,2"), datasets.Options{DataPath: smallDir}).Shape().MaxRows; got != 4 {
		t.Errorf("tasks 1 and 2: %d rows, want 4", got)
	}
	files := map[string]string{}
	for n := 1; n <= numTasks; n++ {
		files[fmt.Sprintf("qa%d_train.txt", n)] = "1 A b.\n2 C?\td\n1 E f.\n2 G h.\n3 C?\td\n"
		files[fmt.Sprintf("qa%d_test.txt", n)] = "1 A b.\n2 C?\td\n"
	}
	dir := writeFiles(t, files)
	for limit, want := range map[int]int{320: 320, 100: 100, 0: 2, 1: 1} {
		s := *Defaults()
		s.MaxRows = limit
		if got := mustOpen(t, s, datasets.Options{DataPath: dir}).Shape().MaxRows; got != want {
			t.Errorf("all tasks, max_rows %d: %d rows, want %d", limit, got, want)
		}
	}
}

func TestValidationIsATenthOfTheStories(t *testing.T) {
	for _, c := range []struct {
		count int
		share float64
		want  int
	}{{2000, .1, 200}, {933, .1, 93}, {14, .1, 1}, {4, .1, 1}, {2, .5, 1}, {1, .1, 0}, {100, 0, 0}} {
		chosen := validationStories(7, c.count, c.share)
		n := 0
		for _, v := range chosen {
			if v {
				n++
			}
		}
		if n != c.want || len(chosen) != c.count {
			t.Errorf("%g of %d stories: %d, want %d", c.share, c.count, n, c.want)
		}
		if !slices.Equal(chosen, validationStories(7, c.count, c.share)) {
			t.Error("the choice changes from call to call")
		}
	}
	if slices.Equal(validationStories(1, 200, .1), validationStories(2, 200, .1)) {
		t.Error("two tasks have the same choice")
	}
}

func TestNoValidationIsAnErrorOnlyWhenAskedFor(t *testing.T) {
	s := with("1")
	s.Validation = 0
	src := mustOpen(t, s, datasets.Options{DataPath: smallDir})
	var b datasets.Batch
	if err := src.Batch(&b, datasets.Validation, 0, 0, 1); err == nil || !strings.Contains(err.Error(), "validation = 0") {
		t.Errorf("got %v", err)
	}
	if n, err := src.Questions(datasets.Train); err != nil || n[0] != 28 {
		t.Errorf("%v training questions, want all 28 (%v)", n, err)
	}
}

func TestPartialDataAreLabelled(t *testing.T) {
	labels := mustOpen(t, with("1,2"), datasets.Options{DataPath: smallDir}).Spec().Caveats.Texts()
	for _, want := range []string{"not the en-10k files: task 1 has 28 training questions, official 10,000", "tasks 1,2 of 20"} {
		if !slices.Contains(labels, want) {
			t.Errorf("labels %q, want %q", labels, want)
		}
	}
}

func TestPrintShowsStoryQuestionAndAnswer(t *testing.T) {
	dir := writeFiles(t, map[string]string{
		"qa1_train.txt": "1 A b.\n2 C?\td\n", "qa1_test.txt": "1 Mary sat.\n2 John ate.\n3 Who ate? \tJohn,Mary\t2\n",
	})
	show := func(src *Source) string {
		var b datasets.Batch
		must.Do(t, src.Batch(&b, datasets.Test, 0, 0, 2))
		var out strings.Builder
		must.Do(t, src.Print(&out, &b, 1))
		return out.String()
	}
	test := datasets.Options{DataPath: dir, Splits: []datasets.Split{datasets.Test}}
	const story = "  1  mary sat.\n  2  john ate.\n     who ate?  john,mary\n"
	if got, want := show(mustOpen(t, with("1"), test)), "task 1: Single Supporting Fact\n"+story; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// distractors_before puts statements of other stories before the story, whose facts keep their age.
func TestDistractorsBeforeTheStory(t *testing.T) {
	opts := datasets.Options{DataPath: smallDir, Shifted: true, Splits: []datasets.Split{datasets.Test}}
	plain := examined(t, mustOpen(t, with("1,2"), opts), datasets.Test, 0)
	s := with("1,2")
	s.Before = 3
	for i, got := range examined(t, mustOpen(t, s, opts), datasets.Test, 0) {
		kind, story, _ := strings.Cut(plain[i], ": ")
		if more := strings.Count(got, ",") - strings.Count(plain[i], ","); more != 3 || !strings.HasPrefix(got, kind) || !strings.HasSuffix(got, ", "+story) {
			t.Errorf("%s\nbecame %s", plain[i], got)
		}
	}
}

// Statements that the limit of the memory drops, and files that look like those of a task, are named.
func TestWhatIsNotReadIsNamed(t *testing.T) {
	var story strings.Builder
	for i := 1; i <= 400; i++ {
		fmt.Fprintf(&story, "%d Mary moved to the kitchen.\n", i)
	}
	story.WriteString("401 Where is Mary?\tkitchen\t400\n")
	short := "1 Mary moved to the kitchen.\n2 Where is Mary?\tkitchen\t1\n"
	dir := writeFiles(t, map[string]string{"qa1_own_train.txt": strings.Repeat(short, 20), "qa1_own_test.txt": short + story.String(),
		"qa1_valid.txt": short})
	got := strings.Join(mustOpen(t, with("1"), datasets.Options{DataPath: dir}).Spec().Caveats.Texts(), "; ")
	for _, want := range []string{"qa1_own_test.txt:403: a question about 400 statements, of which the last 320 are read (max_rows)",
		"files of the data that are not read: qa1_valid.txt"} {
		if !strings.Contains(got, want) {
			t.Errorf("caveats %s, want %q", got, want)
		}
	}
}
