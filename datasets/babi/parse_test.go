package babi

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
)

// parse reads a file's bytes.
func parse(data string, lex *lexicon, widest datasets.Shape) (*content, error) {
	return lex.parse(inMemory("f", []byte(data)), widest)
}

func TestParseReadsStoriesAndQuestions(t *testing.T) {
	const text = "1 Mary went to the Hall.\n" +
		"2 John sat.\n" +
		"3 Where is Mary? \thall\t1\n" +
		"4 Mary took the milk.\n" +
		"5 What does Mary hold?\tMilk,Ball\t4 1\n" +
		"\n" +
		"1 John sat.\n" +
		"2 Did John sit?\tyes\n"
	for name, data := range map[string]string{
		"LF":                 text,
		"CRLF":               strings.ReplaceAll(text, "\n", "\r\n"),
		"byte order mark":    "\xef\xbb\xbf" + text,
		"no final line feed": strings.TrimSuffix(text, "\n"),
	} {
		lex := newLexicon(nil)
		got, err := parse(data, lex, datasets.Shape{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if want := []int32{0, 1, 3, 1}; !slices.Equal(got.statements, want) || got.count != 2 {
			t.Errorf("%s: statements %v of %d stories, want %v of 2", name, got.statements, got.count, want)
		}
		var seen []string
		for _, q := range got.questions {
			var words []string
			for _, id := range lex.sentences[q.text].words {
				words = append(words, lex.words[id])
			}
			seen = append(seen, fmt.Sprintf("%d-%d %s: %s (story %d, line %d)",
				q.start, q.end, strings.Join(words, " "), lex.words[q.answer], q.story, q.line))
		}
		want := []string{
			"0-2 where is mary: hall (story 0, line 3)",
			"0-3 what does mary hold: milk,ball (story 0, line 5)",
			"3-4 did john sit: yes (story 1, line 8)",
		}
		if !slices.Equal(seen, want) {
			t.Errorf("%s: got %q, want %q", name, seen, want)
		}
	}
}

func TestParseErrorsNameFileAndLine(t *testing.T) {
	const good = "1 Mary sat.\n2 Who sat?\tmary\t1\n"
	for _, c := range []struct{ name, data, want string }{
		{"no number", good + "Mary sat.\n", "f:3: malformed line"},
		{"no words", good + "3 .\n", "f:3: no words"},
		{"too many fields", good + "3 Who sat?\tmary\t1\t2\n", "f:3: malformed line"},
		{"answer of two words", good + "3 Who sat?\tmary john\t1\n", "f:3: malformed answer"},
		{"no tab", good + "3 Who sat?\n", "f:3: missing answer"},
		{"empty answer", good + "3 Who sat?\t\t1\n", "f:3: missing answer"},
		{"first tab lost", good + "3 Who sat? mary\t2\n", "f:3: malformed question \"Who sat? mary\": want a '?' before the first tab"},
		{"question first", good + "1 Who sat?\tmary\t1\n", "f:3: question \"Who sat?\" precedes any statement"},
		{"does not start with 1", "2 Mary sat.\n", "f:1: line number 2: the first story must start with 1"},
		{"gap", good + "4 Mary sat.\n", "f:3: line number 4: want 3, or 1"},
		{"invalid UTF-8", good + "3 Mary s\xe4t.\n", "f: line 3: wrong encoding: not valid UTF-8"},
		{"NUL", good + "3 Mary\x00 sat.\n", "f: line 3: wrong encoding"},
		{"UTF-16 little endian", "\xff\xfe1\x00", "f: wrong encoding: the file is UTF-16"},
		{"fact is a question", good + "3 Who sat?\tmary\t2\n", `f:3: supporting fact "2" is not`},
		{"fact of another story", good + "1 John ate.\n2 Who ate?\tjohn\t3\n", `f:4: supporting fact "3" is not`},
		{"fact is a word", good + "3 Who sat?\tmary\tone\n", `f:3: supporting fact "one" is not`},
		{"empty file", "", "f: no question in the file"},
	} {
		_, err := parse(c.data, newLexicon(nil), datasets.Shape{})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s...", c.name, err, c.want)
		}
	}
}

func TestFixedVocabularyAndLimitsAreKept(t *testing.T) {
	words := []string{"", "mary", "sat", "who"}
	for _, c := range []struct {
		name, data string
		lim        datasets.Shape
		want       string // empty: no error
	}{
		{"fits", "1 Mary sat.\n2 Who sat?\tmary\t1\n", datasets.Shape{RowWidth: 2, QueryWidth: 2}, ""},
		{"statement", "1 Mary sat.\n2 John sat.\n", datasets.Shape{}, `f:2: the model's vocabulary of 3 words has no "john"`},
		{"question", "1 Mary sat.\n2 Where sat?\tmary\n", datasets.Shape{}, `f:2: the model's vocabulary of 3 words has no "where"`},
		{"answer", "1 Mary sat.\n2 Who sat?\tmary,john\n", datasets.Shape{}, `f:2: the model's vocabulary of 3 words has no "mary,john"`},
		{"long statement", "1 Mary sat sat.\n", datasets.Shape{RowWidth: 2, QueryWidth: 2}, "f:1: sentence of 3 words: the model takes 2"},
		{"long question", "1 Mary sat.\n2 Who sat sat?\tmary\n", datasets.Shape{RowWidth: 2, QueryWidth: 2}, "f:2: sentence of 3 words: the model takes 2"},
	} {
		lex := newLexicon(words)
		got, err := parse(c.data, lex, c.lim)
		if c.want == "" {
			if err != nil || got.questions[0].answer != 1 || !slices.Equal(lex.sentences[0].words, []int32{1, 2}) {
				t.Errorf("%s: %v", c.name, err)
			}
		} else if err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}
