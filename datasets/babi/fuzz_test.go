package babi

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/datasets/must"
)

// render writes parsed stories in the standard format.
func render(s *stories, lex *lexicon) string {
	var b strings.Builder
	sentence := func(ids []int32) string {
		words := make([]string, len(ids))
		for i, id := range ids {
			words[i] = lex.words[id]
		}
		return strings.Join(words, " ")
	}
	story, line, next := int32(-1), 0, int32(0)
	put := func(upTo int32) {
		for ; next < upTo; next++ {
			line++
			fmt.Fprintf(&b, "%d %s.\n", line, sentence(lex.statements.words[s.statements[next]]))
		}
	}
	for _, q := range s.questions {
		if q.story != story {
			story, line, next = q.story, 0, q.start
		}
		put(q.end)
		line++
		fmt.Fprintf(&b, "%d %s?\t%s\n", line, sentence(lex.questions.words[q.text]), lex.words[q.answer])
	}
	return b.String()
}

// FuzzParse checks that no input makes the parser panic, that errors name the file, that accepted
// files give questions and word ids in range, and that writing and reading them again gives
// the same.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"1 Mary went to the hall.\n2 Where is Mary?\thall\t1\n",
		"1 Mary sat.\r\n2 Who sat?\tmary,john\r\n1 John sat\r\n2 Who?\tjohn\t1 1\r\n",
		"\xef\xbb\xbf1 a\n2 b?\tc\t1\n\n\n",
		"\xff\xfe1\x00 \x00", "1 \x00", "1 \xe4\n", "2 a\n", "1 a?\n", "1 a?\tb\n", "1 .\n", "1  a  b .\n2 ? x\ty\t1\n",
		"1 İstanbul \u00a0 K\n2 q\tİ\t1\n", "+1 a\n02 b\tc\n", "99999999999999999999 a\n", "1 a\n2 b\t \t1\n", "1 a\n2 b\tc\t1\t\n",
	} {
		f.Add([]byte(seed))
	}
	files, err := filepath.Glob("testdata/small/*/*.txt")
	if err != nil || len(files) == 0 {
		f.Fatalf("no seed files: %v", err)
	}
	for _, name := range files {
		data := must.Get(os.ReadFile(name))(f)
		f.Add(data[:min(len(data), 400)]) // short seeds keep the fuzzer fast
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		lex := mustLexicon(t, nil)
		got, err := parse("file", data, lex, limits{})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "file:") {
				t.Fatalf("error without the file's name: %v", err)
			}
			return
		}
		checkStories(t, got, lex)
		text := render(got, lex)
		lex2 := mustLexicon(t, nil)
		again, err := parse("again", []byte(text), lex2, limits{})
		if err != nil {
			t.Fatalf("%v\n%q was written as\n%q", err, data, text)
		}
		if text2 := render(again, lex2); text2 != text {
			t.Fatalf("written, read and written again:\n%q\n%q", text, text2)
		}
		final := lex.sort()
		for id, w := range lex.words {
			if w != "" && lex.ids[w] != int32(id) {
				t.Fatalf("%q has id %d, and is word %d", w, lex.ids[w], id)
			}
		}
		if !slices.IsSorted(lex.words) || len(final) != len(lex.words) || final[0] != 0 {
			t.Fatalf("words %q", lex.words)
		}
	})
}

func checkStories(t *testing.T, s *stories, lex *lexicon) {
	t.Helper()
	for i, q := range s.questions {
		switch {
		case q.start < 0 || q.start >= q.end || int(q.end) > len(s.statements):
			t.Fatalf("question %d: memory %d to %d of %d", i, q.start, q.end, len(s.statements))
		case q.answer < 1 || int(q.answer) >= len(lex.words):
			t.Fatalf("question %d: answer %d of %d words", i, q.answer, len(lex.words))
		case q.story < 0 || int(q.story) >= s.count:
			t.Fatalf("question %d: story %d of %d", i, q.story, s.count)
		case i > 0 && q.story < s.questions[i-1].story, i > 0 && q.line <= s.questions[i-1].line:
			t.Fatalf("question %d is before the previous one", i)
		}
	}
	for _, table := range []sentences{lex.statements, lex.questions} {
		for n, ids := range table.words {
			if len(ids) == 0 {
				t.Fatalf("sentence %d has no words", n)
			}
			for _, id := range ids {
				if id < 1 || int(id) >= len(lex.words) {
					t.Fatalf("sentence %d: word %d of %d", n, id, len(lex.words))
				}
			}
		}
	}
}
