package babi

import (
	"strings"
	"testing"

	"memobench/datasets"
)

// FuzzParse checks that no input makes the parser panic, that errors name the file, and that accepted
// files give questions and word ids in range.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"1 Mary went to the hall.\n2 Where is Mary?\thall\t1\n", "1 Mary sat.\r\n2 Who sat?\tmary,john\r\n1 John sat\r\n2 Who?\tjohn\t1 1\r\n",
		"\xef\xbb\xbf1 a\n2 b?\tc\t1\n\n\n", "\xff\xfe1\x00", "1 \x00", "2 a\n", "1 a?\n", "1 .\n", "1  a  b .\n2 ? x\ty\t1\n", "1 İstanbul \u00a0 K\n2 q\tİ\t1\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data string) {
		lex := newLexicon(nil)
		got, err := parse(data, lex, datasets.Shape{})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Fatalf("error without the file's name: %v", err)
			}
			return
		}
		for i, q := range got.questions {
			if q.start < 0 || q.start >= q.end || int(q.end) > len(got.statements) || q.answer < 1 || int(q.answer) >= len(lex.words) || int(q.story) >= got.count {
				t.Fatalf("question %d: %+v", i, q)
			}
		}
		for n, s := range lex.sentences {
			for _, id := range s.words {
				if id < 1 || int(id) >= len(lex.words) {
					t.Fatalf("sentence %d: word %d of %d", n, id, len(lex.words))
				}
			}
		}
		lex.sort()
		for id, w := range lex.words {
			if w != "" && lex.ids[w] != int32(id) {
				t.Fatalf("%q has id %d, and is word %d", w, lex.ids[w], id)
			}
		}
	})
}
