package table

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"memobench/datasets/must"
)

var nodeName = regexp.MustCompile("node ([12])") // the first one: "node 2, true node 1 given"
var kindName = regexp.MustCompile(`\b[A-E]-[A-E]\b`)

// A cell whose row or column names a node of a path or a kind of query shows its accuracy, not
// that of the whole path or of all queries.
func TestLabelsAreWhatCellsShow(t *testing.T) {
	checked := 0
	for _, file := range must.Get(filepath.Glob("../tables/*.yaml"))(t) {
		if filepath.Base(file) == "figures.yaml" {
			continue
		}
		for _, s := range must.Get(ParseSpecs(must.Get(os.ReadFile(file))(t)))(t) {
			for i := range s.Sections {
				for j := range s.Sections[i].Rows {
					for k := range s.Columns {
						row, column := &s.Sections[i].Rows[j], &s.Columns[k]
						cell := s.selection(&s.Sections[i], column, row)
						if len(cell.Runs.all) == 0 || cell.Text != "" || cell.Setting != "" || cell.Metric == "cpu-minutes" {
							continue
						}
						name := strings.ToLower(row.Label + ", " + column.Group + " " + column.Title)
						if kinds := kindName.FindAllString(row.Label+" "+column.Title, -1); len(kinds) == 1 {
							checked++
							if len(cell.Kind) != 1 || cell.Kind[0] != kinds[0] {
								t.Errorf("table %s, row %q, column %q: kind %v", s.ID, row.Label, column.Title, cell.Kind)
							}
						}
						match := nodeName.FindStringSubmatch(name)
						if match == nil {
							continue
						}
						checked++
						if fmt.Sprint(cell.Answer) != match[1] {
							t.Errorf("table %s, row %q, column %q: answer %d", s.ID, row.Label, column.Title, cell.Answer)
						}
					}
				}
			}
		}
	}
	if checked < 500 {
		t.Errorf("only %d cells were checked", checked)
	}
}
