package format

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/datasets/must"
)

func TestReadKeepsEveryPart(t *testing.T) {
	const text = "1 Mary went to the Hall.\n2 Where is Mary? \t Hall \t1\n\n1 John sat.\n2 Mary sat.\n3 Who sat?\tjohn,mary\t2 1\n4 Why?\tx\n"
	got := must.Get(read("f", text))(t)
	want := []story{
		{{Number: 1, FileLine: 1, Text: "Mary went to the Hall."}, {Number: 2, FileLine: 2, Text: "Where is Mary? ", Answer: "Hall", Support: []int{1}}},
		{
			{Number: 1, FileLine: 4, Text: "John sat."}, {Number: 2, FileLine: 5, Text: "Mary sat."},
			{Number: 3, FileLine: 6, Text: "Who sat?", Answer: "john,mary", Support: []int{2, 1}}, {Number: 4, FileLine: 7, Text: "Why?", Answer: "x"},
		},
	}
	if d := cmp.Diff(want, got, sameNumbers); d != "" {
		t.Error(d)
	}
}

// sameNumbers takes an empty list for none.
var sameNumbers = cmp.Comparer(func(a, b []int) bool { return slices.Equal(a, b) })

// What a caller finds wrong with a line is reported like what Scan finds.
func TestErrorsOfTheCallerNameTheLine(t *testing.T) {
	wrong := errors.New("wrong")
	err := Scan("f", "1 A.\n2 B?\tc\n", func(l *Line) error {
		if l.Number == 2 {
			return wrong
		}
		return nil
	})
	if !errors.Is(err, wrong) || !strings.HasPrefix(err.Error(), "f:2: ") {
		t.Errorf("got %v", err)
	}
}

func TestWordsAreThePapersPreprocessing(t *testing.T) {
	for text, want := range map[string]string{
		"Mary went to the Hall.":          "mary|went|to|the|hall",
		"  Is the box bigger than it ? ":  "is|the|box|bigger|than|it",
		"What is north of the bathroom? ": "what|is|north|of|the|bathroom",
		". ?":                             "",
	} {
		if got := strings.Join(Words(text), "|"); got != want {
			t.Errorf("Words(%q) = %s, want %s", text, got, want)
		}
	}
}

// write writes stories with a Writer.
func write(stories []story) []byte {
	var w Writer
	for _, s := range stories {
		w.number = 0
		for _, l := range s {
			if l.IsQuestion() {
				w.Question(l.Answer, l.Support, l.Text)
			} else {
				w.Statement(l.Text)
			}
		}
	}
	return w.Text
}

// FuzzRead checks that no input makes Read panic, that errors name the file,
// and that what was read and written is read as the same.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"1 Mary went to the hall.\n2 Where is Mary?\thall\t1\n", "1 a\n2 b?\tc,d\t1 1\n3 e\n1 f\n2 g?\th\t1\n",
		"\xff\xfe1\x00", "1 \x00", "+1 a\n02 b\tc\n", "1 a\n2 b\tc\t1\t\n", "1 a?\n", "2 a\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data string) {
		stories, err := read("file", data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "file:") {
				t.Fatalf("error without the file's name: %v", err)
			}
			return
		}
		again, err := read("again", string(write(stories)))
		if err != nil {
			t.Fatalf("%v\n%q", err, data)
		}
		for _, all := range [][]story{stories, again} {
			for _, s := range all {
				for i := range s {
					s[i].FileLine = 0
				}
			}
		}
		if d := cmp.Diff(stories, again, sameNumbers); d != "" {
			t.Fatal(d)
		}
	})
}

// story is a story with its questions.
type story []Line

// read returns the stories of a file.
func read(file, text string) ([]story, error) {
	var stories []story
	err := Scan(file, text, func(l *Line) error {
		if l.Number == 1 {
			stories = append(stories, nil)
		}
		kept := *l
		kept.Support = slices.Clone(l.Support)
		last := &stories[len(stories)-1]
		*last = append(*last, kept)
		return nil
	})
	return stories, err
}
