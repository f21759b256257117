package stats

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/datasets/babi/format"
)

const sample = `1 Mary went to the hall.
2 John sat.
3 Where is Mary?	Hall	1
4 Mary ran.
5 Mary took the milk.
6 What, where?	milk,hall	5 1
1 John sat.
2 Who?	john
`

func read(t testing.TB, text string) []format.Story {
	t.Helper()
	stories, err := format.Read("f", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return stories
}

func TestStatsCountWhatIsThere(t *testing.T) {
	want := &Stats{
		Stories: 2, Questions: 3, StatementWidth: 5, QuestionWidth: 3,
		PerStory: Histogram{2: 1, 1: 1}, Memory: Histogram{2: 1, 4: 1, 1: 1}, Support: Histogram{1: 1, 2: 1, 0: 1},
		Youngest: Histogram{1: 1, 0: 1}, Oldest: Histogram{1: 1, 3: 1},
		Words: Counts{"mary": 4, "went": 1, "to": 1, "the": 2, "hall": 1, "john": 2, "sat": 2, "where": 2, "is": 1, "ran": 1,
			"took": 1, "milk": 1, "what,": 1, "who": 1},
		Answers: Counts{"hall": 1, "milk,hall": 1, "john": 1},
	}
	got := Of(read(t, sample))
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if v := got.Vocabulary(); len(v) != 15 || v[4] != "milk" || v[5] != "milk,hall" {
		t.Errorf("vocabulary %q", v)
	}
	if m := got.Memory; m.Mean() != 7./3 || m.Max() != 4 {
		t.Errorf("memory: mean %v, longest %d", m.Mean(), m.Max())
	}
}

func TestDistances(t *testing.T) {
	a, b := Histogram{1: 1, 2: 1, 5: 2}, Histogram{2: 4, 5: 4}
	for _, c := range []struct {
		a, b Histogram
		want float64
	}{{a, a, 0}, {a, b, .25}, {b, a, .25}, {a, Histogram{9: 1}, 1}, {Histogram{}, Histogram{}, 0}} {
		if got := Kolmogorov(c.a, c.b); got != c.want {
			t.Errorf("Kolmogorov(%v, %v) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
	x, y := Counts{"yes": 1, "no": 3}, Counts{"yes": 1, "no": 1, "maybe": 2}
	for _, c := range []struct {
		a, b Counts
		want float64
	}{{x, x, 0}, {x, y, .5}, {y, x, .5}, {x, Counts{"red": 5}, 1}, {Counts{}, Counts{}, 0}} {
		if got := Variation(c.a, c.b); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("Variation(%v, %v) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestTablesShowTheNumbers(t *testing.T) {
	a := Of(read(t, sample))
	b := Of(read(t, "1 Mary sat.\n2 Who?\tmary\t1\n"))
	var out bytes.Buffer
	if err := Table(&out, []Row{{"1 Sample", a}}); err != nil {
		t.Fatal(err)
	}
	if err := Comparison(&out, "long", "short", []Pair{{"1 Sample", a, b}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"1 Sample  2        3          1.50     2.33    4        14     3        33.3 %         1.00   0.50       2.00",
		"1 Sample  +12 -0      2.33 | 1.00  33.3 | 100.0 %  0.500       0.667      0.333     0.500         1.000          1.000       0.667", "long | short. memory",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	full := errors.New("disk full")
	if err := Table(broken{full}, nil); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

type broken struct{ err error }

func (w broken) Write([]byte) (int, error) { return 0, w.err }
