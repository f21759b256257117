package report

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

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
var measuredElsewhere = []string{"ratios", "peers", "peers-paper", "gpu", "speedup", "sgemm", "halting", "slopes"}

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

// The overview in the README is the first figure of the report of all records. UPDATE=1 writes
// it.
func TestOverviewOfREADME(t *testing.T) {
	overview := recorded(t).Groups
	figures := overview[len(overview)-1].Figures
	if len(figures) == 0 || figures[0].ID != "figure-overview" {
		t.Fatal("the report has no overview")
	}
	drawn, err := figures[0].PNG()
	if err != nil {
		t.Fatal(err)
	}
	const path = "../docs/overview.png"
	have, err := os.ReadFile(path)
	if err == nil && bytes.Equal(have, drawn) {
		return
	}
	if os.Getenv("UPDATE") == "" {
		t.Fatalf("%s is not what the recorded studies give (%v); UPDATE=1 go test ./report writes it", path, err)
	}
	if err := os.WriteFile(path, drawn, 0o644); err != nil {
		t.Fatal(err)
	}
}
