package cli

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"memobench/datasets/must"
)

var update = flag.Bool("update", false, "write the documents' tables anew")

// recorded is where the runs lie that the documents' numbers come from.
var recorded = filepath.Join(root, "benchmarks", "recorded")

var readme = filepath.Join(root, "README.md")

// checkTable compares the table between the marks of a name, in the document that has it,
// with want, or writes it there with -update.
func checkTable(t *testing.T, name, want string) {
	t.Helper()
	begin, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	var document, before, have, after string
	for _, d := range documents(t) {
		text := string(read(t, filepath.Dir(d), filepath.Base(d)))
		head, rest, ok := strings.Cut(text, begin)
		table, tail, ended := strings.Cut(rest, end)
		switch {
		case !ok:
		case !ended || document != "" || strings.Contains(tail, begin):
			t.Errorf("%s: %q is not there once with %q", d, begin, end)
			return
		default:
			document, before, have, after = d, head, table, tail
		}
	}
	if document == "" {
		t.Errorf("no document has %q", begin)
		return
	}
	if have == want {
		return
	}
	if !*update {
		t.Errorf("%s: %s is not what benchmarks/recorded gives; run this test with -update\nwant:\n%s", document, name, want)
		return
	}
	must.Do(t, os.WriteFile(document, []byte(before+begin+want+end+after), 0o666))
}

// Links within the repository's texts lead somewhere: to a file, and there to a title.
func TestLinksOfDocumentsLeadSomewhere(t *testing.T) {
	seen := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{".git", "runs", "testdata"}, d.Name()) {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".md" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(string(text), -1) {
			seen++
			linkLeadsSomewhere(t, path, m[1])
		}
		return nil
	})
	if err != nil || seen < 20 {
		t.Errorf("%d links seen (%v)", seen, err)
	}
}

func linkLeadsSomewhere(t *testing.T, document, link string) {
	t.Helper()
	if strings.Contains(link, "://") {
		return
	}
	file, title, hasTitle := strings.Cut(link, "#")
	target := document
	if file != "" {
		target = filepath.Join(filepath.Dir(document), file)
	}
	if _, err := os.Stat(target); err != nil {
		t.Errorf("%s: link to %s: %v", document, link, err)
	} else if hasTitle && !slices.Contains(anchors(string(read(t, filepath.Dir(target), filepath.Base(target)))), title) {
		t.Errorf("%s: link to %s: no such title", document, link)
	}
}

// anchors are the names by which titles of a text in Markdown can be linked to: in small
// letters, with hyphens for spaces, without other signs.
func anchors(text string) (list []string) {
	text = regexp.MustCompile("(?ms)^```.*?^```").ReplaceAllString(text, "")
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		name := strings.ReplaceAll(strings.ToLower(m[1]), " ", "-")
		list = append(list, regexp.MustCompile(`[^\w-]`).ReplaceAllString(name, ""))
	}
	return list
}
