package table

import (
	"fmt"
	"os"
	"regexp"
	"slices"
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
	check := func(table, label string, cell Selection) {
		if len(cell.Runs.all) == 0 || cell.Text != "" || cell.Setting != "" || cell.Metric == "cpu-minutes" {
			return
		}
		if kinds := kindName.FindAllString(label, -1); len(kinds) == 1 {
			checked++
			if !slices.Equal(cell.Kind, kinds) {
				t.Errorf("table %s, %q: kind %v", table, label, cell.Kind)
			}
		}
		if node := nodeName.FindStringSubmatch(strings.ToLower(label)); node != nil {
			checked++
			if fmt.Sprint(cell.Answer) != node[1] {
				t.Errorf("table %s, %q: answer %d", table, label, cell.Answer)
			}
		}
	}
	for _, name := range []string{"claims", "paper", "open", "documents"} {
		for _, s := range must.Get(ParseSpecs(must.Get(os.ReadFile("../tables/" + name + ".yaml"))(t)))(t) {
			for _, section := range s.Sections {
				for _, row := range section.Rows {
					for _, column := range s.Columns {
						check(s.ID, row.Label+", "+column.Group+" "+column.Title, s.selection(&section, &column, &row))
					}
				}
			}
		}
	}
	if checked < 500 {
		t.Errorf("only %d cells were checked", checked)
	}
}
