package babi

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"memobench/datasets/must"
)

func mustLexicon(t testing.TB, words []string) *lexicon {
	t.Helper()
	return must.Get(newLexicon(words))(t)
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
		lex := mustLexicon(t, nil)
		got, err := parse("f", []byte(data), lex, limits{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if want := []int32{0, 1, 2, 1}; !slices.Equal(got.statements, want) || got.count != 2 {
			t.Errorf("%s: statements %v of %d stories, want %v of 2", name, got.statements, got.count, want)
		}
		var seen []string
		for _, q := range got.questions {
			var words []string
			for _, id := range lex.questions.words[q.text] {
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
		{"number alone", good + "3\n", "f:3: malformed line"},
		{"huge number", good + "99999999999999999999 Mary sat.\n", "f:3: malformed line"},
		{"no words", good + "3 .\n", "f:3: no words"},
		{"question of no words", good + "3 ?\tmary\n", "f:3: no words"},
		{"too many fields", good + "3 Who sat?\tmary\t1\t2\n", "f:3: malformed line"},
		{"answer of two words", good + "3 Who sat?\tmary john\t1\n", "f:3: malformed answer"},
		{"no tab", good + "3 Who sat?\n", "f:3: missing answer"},
		{"blanks for tabs", good + "3 Who sat? mary 1\n", "f:3: missing answer"},
		{"empty answer", good + "3 Who sat?\t\t1\n", "f:3: missing answer"},
		{"first tab lost", good + "3 Who sat? mary\t2\n", "f:3: malformed question \"Who sat? mary\": want a '?' before the first tab"},
		{"question first", good + "1 Who sat?\tmary\t1\n", "f:3: question \"Who sat?\" precedes any statement"},
		{"does not start with 1", "2 Mary sat.\n", "f:1: line number 2: the first story must start with 1"},
		{"gap", good + "4 Mary sat.\n", "f:3: line number 4: want 3, or 1"},
		{"repeated number", good + "2 Mary sat.\n", "f:3: line number 2: want 3, or 1"},
		{"zero", good + "0 Mary sat.\n", "f:3: line number 0: want 3, or 1"},
		{"invalid UTF-8", good + "3 Mary s\xe4t.\n", "f:3: wrong encoding: not valid UTF-8"},
		{"NUL", good + "3 Mary\x00 sat.\n", "f:3: wrong encoding: a NUL byte"},
		{"UTF-16 little endian", "\xff\xfe1\x00", "f:1: wrong encoding: the file is UTF-16"},
		{"UTF-16 big endian", "\xfe\xff\x001", "f:1: wrong encoding: the file is UTF-16"},
		{"fact is a question", good + "3 Who sat?\tmary\t2\n", `f:3: supporting fact "2" is not`},
		{"fact is this line", good + "3 Who sat?\tmary\t3\n", `f:3: supporting fact "3" is not`},
		{"fact of another story", good + "1 John ate.\n2 Who ate?\tjohn\t3\n", `f:4: supporting fact "3" is not`},
		{"fact zero", good + "3 Who sat?\tmary\t0\n", `f:3: supporting fact "0" is not`},
		{"fact is a word", good + "3 Who sat?\tmary\tone\n", `f:3: supporting fact "one" is not`},
		{"empty file", "", "f: no question in the file"},
		{"no question", "1 Mary sat.\n", "f: no question in the file"},
	} {
		_, err := parse("f", []byte(c.data), mustLexicon(t, nil), limits{})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s...", c.name, err, c.want)
		}
	}
}

func TestFixedVocabularyAndLimitsAreKept(t *testing.T) {
	words := []string{"", "mary", "sat", "who"}
	for _, c := range []struct {
		name, data string
		lim        limits
		want       string // empty: no error
	}{
		{"fits", "1 Mary sat.\n2 Who sat?\tmary\t1\n", limits{2, 2}, ""},
		{"statement", "1 Mary sat.\n2 John sat.\n", limits{}, `f:2: the model's vocabulary of 3 words has no "john"`},
		{"question", "1 Mary sat.\n2 Where sat?\tmary\n", limits{}, `f:2: the model's vocabulary of 3 words has no "where"`},
		{"answer", "1 Mary sat.\n2 Who sat?\tmary,john\n", limits{}, `f:2: answer: the model's vocabulary of 3 words has no "mary,john"`},
		{"long statement", "1 Mary sat sat.\n", limits{2, 2}, "f:1: statement of 3 words: the model takes 2"},
		{"long question", "1 Mary sat.\n2 Who sat sat?\tmary\n", limits{2, 2}, "f:2: question of 3 words: the model takes 2"},
	} {
		lex := mustLexicon(t, words)
		got, err := parse("f", []byte(c.data), lex, c.lim)
		if c.want == "" {
			if err != nil || got.questions[0].answer != 1 || !slices.Equal(lex.statements.words[0], []int32{1, 2}) {
				t.Errorf("%s: %v", c.name, err)
			}
		} else if err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
	for name, bad := range map[string][]string{
		"no padding": {"mary"}, "empty": {}, "twice": {"", "a", "a"}, "empty word": {"", "a", ""},
	} {
		if _, err := newLexicon(bad); err == nil {
			t.Errorf("vocabulary %s is accepted", name)
		}
	}
}
