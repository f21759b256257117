package report_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	notProse    = regexp.MustCompile("(?ms)^```.*?^```|<!--.*?-->|^\\|.*?$")
	newSentence = regexp.MustCompile(`(?m)^(#+|-|\d+\.) `)
	link        = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	inlineCode  = regexp.MustCompile("`[^`]*`")
	sentenceEnd = regexp.MustCompile(`[.!?]\s|\n\n`)
)

// sentences returns the sentences of a text in Markdown, without tables and code. A heading, an item
// of a list and the last line of a paragraph end a sentence; code within a line is one word.
func sentences(text string) (list []string) {
	text = notProse.ReplaceAllString(text, "\n\n")
	text = newSentence.ReplaceAllString(text, "\n\n")
	text = link.ReplaceAllString(inlineCode.ReplaceAllString(text, "code"), "$1")
	for _, s := range sentenceEnd.Split(text, -1) {
		if strings.TrimSpace(s) != "" {
			list = append(list, strings.Join(strings.Fields(s), " "))
		}
	}
	return list
}

// The documents stay short and their sentences readable.
func TestDocumentsAreShort(t *testing.T) {
	const mostWords, mostLines, longest, mostLong = 10_000, 150, 25, 0.05
	guides, err := filepath.Glob("../docs/*.md")
	if err != nil || len(guides) < 8 {
		t.Fatalf("guides %v (%v)", guides, err)
	}
	words, all, long := 0, 0, 0
	for _, path := range append(guides, "../README.md") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		readme := filepath.Base(path) == "README.md"
		if n := strings.Count(string(text), "\n"); readme && n > mostLines {
			t.Errorf("%s has %d lines, want %d at most", path, n, mostLines)
		}
		for _, s := range sentences(string(text)) {
			n := len(strings.Fields(s))
			words, all = words+n, all+1
			if n > longest && readme {
				t.Errorf("%s has a sentence of %d words: %s", path, n, s)
			} else if n > longest {
				long++
				t.Logf("%s has a sentence of %d words: %s", path, n, s)
			}
		}
	}
	t.Logf("%d words, %d sentences, %d of them with more than %d words", words, all, long, longest)
	if words > mostWords {
		t.Errorf("the documents have %d words, want %d at most", words, mostWords)
	}
	if float64(long) > mostLong*float64(all) {
		t.Errorf("%d of %d sentences have more than %d words, want %.0f %% at most", long, all, longest, 100*mostLong)
	}
}
