package table

import (
	"encoding/json"
	"strings"
	"testing"

	"memobench/datasets/must"
	"memobench/report/paper"

	"github.com/google/go-cmp/cmp"
	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"memobench/report/reporttest/golden"
)

// exampleTable has every kind of cell; its numbers are made up.
func exampleTable(models ...string) *Table {
	t := &Table{
		Title:  "Made-up numbers: accuracy, %",
		About:  []string{"a line about the protocol – long enough that it has to be broken into two lines somewhere behind its middle, or not"},
		Corner: "query",
	}
	wide := t.Note("one of 3 seeds diverged and counts as 0")
	t.Note("another note")
	for i, m := range models {
		g := Group{Title: m, Columns: []Column{{Title: "mean ± sd (n)"}, {Title: "paper", Role: paper.Published}}}
		if i == 0 {
			g.Marks = []int{wide, 2}
		}
		t.Groups = append(t.Groups, g)
	}
	row := func(label string, cells ...Cell) Row {
		r := Row{Label: label}
		for i := range models {
			r.Cells = append(r.Cells, cells[(2*i)%len(cells)], cells[(2*i+1)%len(cells)])
		}
		return r
	}
	num := Cell{State: Number, Mean: 99.95, SD: 0.05, HasSD: true, N: 3, Decimals: 1}
	marked := num
	marked.Mean, marked.Marks = 66.6, []int{wide}
	pub := Cell{State: Number, Mean: 98.26, SD: 0.67, HasSD: true, Decimals: 2}
	one := Cell{State: Number, Mean: 5, N: 1, Decimals: 1}
	t.Sections = []Section{
		{Rows: []Row{row("A-B direct", num, pub, one, pub), row("B-C direct", marked, Cell{State: Unknown})}},
		{Rows: []Row{row("A-C indirect", Cell{State: Missing}, pub)}},
	}
	t.Remarks = []string{"a remark × everything"}
	return t
}

func TestTerminalGolden(t *testing.T) {
	for _, c := range []struct {
		file   string
		models []string
		style  Style
	}{
		{"two_unicode.txt", []string{"EMN", "MEMO"}, Style{}},
		{"three_ascii.txt", []string{"EMN", "DNC", "MEMO"}, Style{ASCII: true}},
		{"two_color.txt", []string{"EMN", "MEMO"}, Style{Color: true}},
		{"two_narrow.txt", []string{"EMN", "MEMO"}, Style{Width: 80}},
		{"two_stacked.txt", []string{"EMN", "MEMO"}, Style{Width: 60}},
		{"five.txt", []string{"EMN, 4 hops", "EMN, 10 hops", "DNC", "UT", "MEMO"}, Style{}},
	} {
		t.Run(c.file, func(t *testing.T) {
			var out strings.Builder
			must.Do(t, exampleTable(c.models...).Terminal(&out, c.style))
			golden.Compare(t, c.file, out.String())
		})
	}
}

// For any number of models and width, lines fit the width if one model's columns do, every
// model has its columns once, in order, every block has all rows, and the number of blocks
// is minimal.
func TestTablesKeepToTheWidth(t *testing.T) {
	models := []string{"EMN, 4 hops", "EMN, 10 hops", "DNC", "UT", "MEMO", "MEMO, no LayerNorm"}
	for n := 1; n <= len(models); n++ {
		for width := 20; width <= 240; width += 7 {
			for _, ascii := range []bool{false, true} {
				style := Style{ASCII: ascii, Width: width}
				table := exampleTable(models[:n]...)
				grids := table.blocks(style, width)
				var headings []string
				for _, g := range grids {
					for i, title := range g.groups[1:] {
						if i%2 == 0 {
							headings = append(headings, strings.TrimRight(title, "¹²'[,]12"))
						}
					}
					if len(g.rows) != 3 || g.rows[2][0] != "A-C indirect" {
						t.Errorf("%d models, width %d: rows %v", n, width, g.rows)
					}
					if g.width() > width && len(grids) < n {
						t.Errorf("%d models, width %d: a block of %d groups is %d wide", n, width, len(g.groups)/2, g.width())
					}
				}
				if diff := cmp.Diff(models[:n], headings); diff != "" {
					t.Errorf("width %d: models (-want +got):\n%s", width, diff)
				}
				if fewer := len(grids) - 1; fewer > 0 {
					if _, fit := table.divide(style, fewer, true, width); fit {
						t.Errorf("%d models, width %d: %d blocks, %d would do", n, width, len(grids), fewer)
					}
				}
				var out strings.Builder
				must.Do(t, table.Terminal(&out, style))
				for _, line := range strings.Split(out.String(), "\n") {
					if w := twwidth.Width(line); w > width && width > 60 {
						t.Errorf("%d models, width %d: line of %d columns: %s", n, width, w, line)
					}
				}
			}
		}
	}
}

func TestColorDoesNotMoveColumns(t *testing.T) {
	var plain, color strings.Builder
	must.Do(t, exampleTable("EMN", "MEMO").Terminal(&plain, Style{}))
	must.Do(t, exampleTable("EMN", "MEMO").Terminal(&color, Style{Color: true}))
	strip := strings.NewReplacer("\x1b[1m", "", "\x1b[2m", "", "\x1b[0m", "")
	if diff := cmp.Diff(plain.String(), strip.Replace(color.String())); diff != "" {
		t.Errorf("colour changes the layout (-plain +colour):\n%s", diff)
	}
}

func TestValidateRefusesARaggedTable(t *testing.T) {
	tab := exampleTable("EMN")
	tab.Sections[0].Rows[0].Cells = tab.Sections[0].Rows[0].Cells[:1]
	if err := tab.Terminal(&strings.Builder{}, Style{}); err == nil || !strings.Contains(err.Error(), "A-B direct") {
		t.Errorf("ragged row: error %v, want one that names the row", err)
	}
	tab = exampleTable("EMN")
	tab.Groups[0].Marks = []int{9}
	if err := tab.Terminal(&strings.Builder{}, Style{}); err == nil || !strings.Contains(err.Error(), "mark 9") {
		t.Errorf("mark without a note: error %v, want one that names the mark", err)
	}
}

func TestStyleFor(t *testing.T) {
	for _, c := range []struct {
		env   map[string]string
		ascii bool
		width int
	}{
		{map[string]string{}, true, 120},
		{map[string]string{"LANG": "en_GB.UTF-8"}, false, 120},
		{map[string]string{"LANG": "de_DE.utf8"}, false, 120},
		{map[string]string{"LANG": "en_GB.UTF-8", "LC_ALL": "C"}, true, 120},
		{map[string]string{"LANG": "en_GB.UTF-8", "LC_CTYPE": "de_DE.ISO-8859-1"}, true, 120},
		{map[string]string{"LC_ALL": "C.UTF-8"}, false, 120},
		{map[string]string{"COLUMNS": "60"}, true, 60},
		{map[string]string{"COLUMNS": "0"}, true, 120},
		{map[string]string{"COLUMNS": "wide"}, true, 120},
	} {
		got := StyleFor(&strings.Builder{}, func(k string) string { return c.env[k] })
		if got.ASCII != c.ascii || got.Width != c.width || got.Color {
			t.Errorf("%v: %+v, want ASCII %v, %d columns and no colour where there is no terminal", c.env, got, c.ascii, c.width)
		}
	}
}

func TestAnEmptyCellHasNoNumberInJSON(t *testing.T) {
	for _, c := range []struct {
		cell Cell
		want string
	}{
		{Cell{State: Missing, Fill: "memobench"}, `{"state":"missing","fill":"memobench"}`},
		{Cell{State: Number, N: 1, Decimals: 1}, `{"state":"number","n":1,"decimals":1,"mean":0}`},
		{Cell{State: Number, Mean: 2, HasSD: true, N: 2}, `{"state":"number","has_sd":true,"n":2,"mean":2,"sd":0}`},
	} {
		got, err := json.Marshal(c.cell)
		if err != nil || string(got) != c.want {
			t.Errorf("%s, %v; want %s", got, err, c.want)
		}
	}
}
