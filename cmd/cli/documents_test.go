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

	"github.com/google/go-cmp/cmp"

	"memobench/datasets/must"
	"memobench/report/paper/doctables"
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

// No document has a table that no test checks: the names of their marks are those
// that the tests of this package have.
func TestEveryTableOfDocumentsIsChecked(t *testing.T) {
	var held []string
	for _, file := range glob("*_test.go") {
		for _, m := range regexp.MustCompile(`"(table:[\w-]+)"`).FindAllSubmatch(read(t, ".", file), -1) {
			held = append(held, string(m[1]))
		}
	}
	for _, name := range doctables.Names() {
		held = append(held, "table:"+name)
	}
	var marked []string
	for _, document := range documents(t) {
		text := read(t, filepath.Dir(document), filepath.Base(document))
		for _, m := range regexp.MustCompile(`<!-- (table:[\w-]+) -->`).FindAllSubmatch(text, -1) {
			marked = append(marked, string(m[1]))
		}
	}
	slices.Sort(held)
	slices.Sort(marked)
	if !slices.Equal(held, marked) {
		t.Errorf("tests check\n%v\nbut the documents have\n%v", held, marked)
	}
}

// What the README says was found has no number of its own: those with a decimal point
// stand in a table that comes from records or from the paper.
func TestNumbersOfWhatWasFoundAreInTables(t *testing.T) {
	table := regexp.MustCompile(`(?s)<!-- table:[\w-]+ -->.*?<!-- /table`)
	number := regexp.MustCompile(`\d+\.\d+`)
	text := string(read(t, root, "README.md"))
	all := ""
	for _, document := range documents(t) {
		all += string(read(t, filepath.Dir(document), filepath.Base(document)))
	}
	inTables := strings.Join(table.FindAllString(all, -1), "\n")
	_, section, _ := strings.Cut(text, "\n## What was found\n")
	section, _, ok := strings.Cut(section, "\n## ")
	said := number.FindAllString(table.ReplaceAllString(section, ""), -1)
	if !ok || len(said) < 5 {
		t.Fatalf("the section has the numbers %v", said)
	}
	known := number.FindAllString(inTables, -1)
	for _, n := range said {
		if !slices.Contains(known, n) {
			t.Errorf("README.md says %s, which is in no table", n)
		}
	}
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

// docs/extend.md lists every fuzz target and no other.
func TestGuideListsTheFuzzTargets(t *testing.T) {
	guide := read(t, filepath.Join(root, "docs"), "extend.md")
	listed := map[string]bool{}
	name := regexp.MustCompile("`(Fuzz\\w+)`")
	for _, row := range regexp.MustCompile("(?m)^\\| `\\./([a-z/]+)` \\| (`Fuzz.*) \\|$").FindAllStringSubmatch(string(guide), -1) {
		for _, m := range name.FindAllStringSubmatch(row[2], -1) {
			listed[row[1]+" "+m[1]] = true
		}
	}
	there := map[string]bool{}
	target := regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)
	must.Do(t, filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		for _, m := range target.FindAllStringSubmatch(string(text), -1) {
			there[filepath.ToSlash(dir)+" "+m[1]] = true
		}
		return err
	}))
	if d := cmp.Diff(there, listed); d != "" || len(there) == 0 {
		t.Errorf("-there +listed:\n%s", d)
	}
}
