package report

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"memobench/datasets/must"
	"memobench/report/figure"
	"memobench/report/results"
	"memobench/report/table"
	"memobench/report/tables"
)

// documents are the README and the guides, with paths from this directory.
func documents(t *testing.T) []string {
	t.Helper()
	guides, err := filepath.Glob("../docs/*.md")
	if err != nil || len(guides) == 0 {
		t.Fatalf("no guides: %v", err)
	}
	return append(guides, "../README.md")
}

// measuredElsewhere are tables of times, which tests of the commands compare with their files.
var measuredElsewhere = []string{"ratios", "peers", "peers-paper", "gpu", "speedup", "sgemm", "roofline", "cost-one-machine", "halting", "slopes"}

var tableBlock = regexp.MustCompile(`(?s)<!-- table:([a-z0-9-]+) -->\n(.*?)<!-- /table:`)

// The tables of the documents are outputs of specifications over the recorded studies. UPDATE=1
// writes them.
func TestTablesOfDocuments(t *testing.T) {
	set, err := results.Read("../benchmarks/recorded")
	if err != nil {
		t.Fatal(err)
	}
	specs := slices.Concat(tables.All(), table.ByTask(set.Runs))
	blocks := 0
	for _, path := range documents(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := tableBlock.ReplaceAllStringFunc(string(data), func(block string) string {
			blocks++
			id := tableBlock.FindStringSubmatch(block)[1]
			if slices.Contains(measuredElsewhere, id) {
				return block
			}
			i := slices.IndexFunc(specs, func(s table.Spec) bool { return s.ID == id })
			if i < 0 {
				t.Errorf("%s: no table %s", path, id)
				return block
			}
			made, err := specs[i].Fill(set.Runs)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if strings.Contains(block, "```text") {
				b.WriteString("```text\n")
				err = made.Text(&b, table.Style{Width: 120})
				b.WriteString("```\n")
			} else {
				err = made.MarkdownRows(&b)
			}
			if err != nil {
				t.Fatal(err)
			}
			return "<!-- table:" + id + " -->\n" + b.String() + "<!-- /table:"
		})
		if text == string(data) {
			continue
		}
		if os.Getenv("UPDATE") == "" {
			t.Errorf("%s: its tables are not what the recorded studies give; UPDATE=1 go test ./report writes them", path)
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if blocks < 20 {
		t.Errorf("only %d tables in the documents", blocks)
	}
}

// The pictures of the documents are figures of the report of all records. UPDATE=1 writes them.
func TestPicturesOfDocuments(t *testing.T) {
	groups := recorded(t).Groups
	figures := groups[len(groups)-1].Figures
	for path, is := range map[string]func(*figure.Figure) bool{
		"../docs/overview.png": func(f *figure.Figure) bool { return f.ID == "figure-overview" },
		"../docs/walk.png":     func(f *figure.Figure) bool { return f.Title == "Generalization over length: pai5 trained with 5" },
	} {
		at := slices.IndexFunc(figures, is)
		if at < 0 {
			t.Errorf("the report lacks the figure of %s", path)
			continue
		}
		drawn := must.Get(figures[at].PNG())(t)
		have, err := os.ReadFile(path)
		if err == nil && bytes.Equal(have, drawn) {
			continue
		}
		if os.Getenv("UPDATE") == "" {
			t.Errorf("%s is not what the recorded studies give (%v); UPDATE=1 go test ./report writes it", path, err)
			continue
		}
		must.Do(t, os.WriteFile(path, drawn, 0o644))
	}
}
