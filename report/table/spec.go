package table

import (
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"memobench/datasets/binfile"
)

// Spec is the specification of a table. What a cell shows is the Selection of the table, its
// section, its column, its row and, if given, the cell itself, where later ones replace
// what earlier ones set.
type Spec struct {
	ID      string   `yaml:"id"`
	Title   string   `yaml:"title"`
	Corner  string   `yaml:"corner"`
	About   []string `yaml:"about,omitempty"`
	Remarks []string `yaml:"remarks,omitempty"`

	Selection `yaml:",inline"`
	Columns   []ColumnSpec  `yaml:"columns"`
	Sections  []sectionSpec `yaml:"sections,omitempty"`
	Rows      []RowSpec     `yaml:"rows,omitempty"` // of a table with one section without a title
}

// sectionSpec specifies a section.
type sectionSpec struct {
	Title     string `yaml:"title,omitempty"`
	Selection `yaml:",inline"`
	Rows      []RowSpec `yaml:"rows"`
}

// ColumnSpec specifies one column for each role that it shows.
type ColumnSpec struct {
	Title     string   `yaml:"title"`
	Group     string   `yaml:"group,omitempty"` // heading above several columns
	Show      []string `yaml:"show,omitempty"`  // all, best, paper, diff, verdict; default: all
	Selection `yaml:",inline"`
}

// RowSpec specifies a row.
type RowSpec struct {
	Label     string `yaml:"label"`
	Selection `yaml:",inline"`
	Cells     map[string]Selection `yaml:"cells,omitempty"` // by column title, or by heading where titles repeat
}

// Selection says what a cell shows. Fields that are not set come from the row, the column,
// the section or the table.
type Selection struct {
	Runs    runNames `yaml:"runs,omitempty"`    // STUDY/NAME, with * for any text; or a mapping of such lists by column title
	Task    string   `yaml:"task,omitempty"`    // registry name
	Network string   `yaml:"network,omitempty"` // registry name of the model; default: any
	Seeds   []uint64 `yaml:"seeds,omitempty"`   // default: all

	// Of evaluations on questions unlike those of training: the setting, the value evaluated,
	// and the number of hops where another than in training.
	Shift string `yaml:"shift,omitempty"`
	Value string `yaml:"value,omitempty"`
	Hops  string `yaml:"hops,omitempty"` // default: as trained

	Metric    string   `yaml:"metric,omitempty"`    // see metrics.go; default: accuracy
	Kind      kindList `yaml:"kind,omitempty"`      // kinds of question; several: their mean; default: all
	Answer    int      `yaml:"answer,omitempty"`    // which of several answers, from 1; default: the whole question
	Aggregate string   `yaml:"aggregate,omitempty"` // over seeds: mean, min, max, sum, count, list, range; default: mean

	Setting string `yaml:"setting,omitempty"` // a setting instead of a number: model.hops, training.learning_rate, protocol.steps
	Text    string `yaml:"text,omitempty"`    // these words

	Paper    string `yaml:"paper,omitempty"`   // number and row of the paper's table: "4 A-C"
	Model    string `yaml:"model,omitempty"`   // its column there
	Differs  bool   `yaml:"differs,omitempty"` // the paper's number answers another question: no difference is shown
	Note     string `yaml:"note,omitempty"`    // footnote: what would mislead if absent
	Decimals *int   `yaml:"decimals,omitempty"`
	Best     int    `yaml:"best,omitempty"` // runs of a "best" column; default 1
	By       string `yaml:"by,omitempty"`   // loss by which they are chosen: validation-loss or training-loss
}

// runNames are patterns STUDY/NAME, for all columns or by the title of a column.
type runNames struct {
	all      []string
	byColumn map[string][]string
}

// UnmarshalYAML reads a text, a list of texts, or a mapping from column titles to these.
func (r *runNames) UnmarshalYAML(node ast.Node) error {
	if mapping, ok := node.(ast.MapNode); ok {
		r.byColumn = map[string][]string{}
		for it := mapping.MapRange(); it.Next(); {
			var title string
			if err := yaml.NodeToValue(it.Key(), &title); err != nil {
				return err
			}
			names, err := textOrList(it.Value())
			if err != nil {
				return err
			}
			r.byColumn[title] = names
		}
		return nil
	}
	var err error
	r.all, err = textOrList(node)
	return err
}

// kindList is one kind of question or several.
type kindList []string

// UnmarshalYAML reads a text or a list of texts.
func (k *kindList) UnmarshalYAML(node ast.Node) (err error) {
	*k, err = textOrList(node)
	return err
}

func textOrList(node ast.Node) (list []string, err error) {
	if _, ok := node.(*ast.SequenceNode); ok {
		err = yaml.NodeToValue(node, &list)
	} else {
		list = make([]string, 1)
		err = yaml.NodeToValue(node, &list[0])
	}
	return list, err
}

// ParseSpecs reads specifications from YAML: a mapping with the key tables. Errors name the
// line.
func ParseSpecs(data []byte) ([]Spec, error) {
	var file struct {
		Tables []Spec `yaml:"tables"`
	}
	if err := binfile.YAML(data, &file); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for i := range file.Tables {
		s := &file.Tables[i]
		if s.Rows != nil {
			s.Sections = append([]sectionSpec{{Rows: s.Rows}}, s.Sections...)
			s.Rows = nil
		}
		if seen[s.ID] {
			return nil, fmt.Errorf("table %s: the id is used twice", s.ID)
		}
		seen[s.ID] = true
		if err := s.validate(); err != nil {
			return nil, fmt.Errorf("table %s: %w", s.ID, err)
		}
	}
	return file.Tables, nil
}

var roles = map[string]Role{"all": Measured, "best": Selected, "paper": Published, "diff": Difference, "verdict": Verdict}

// validate refuses what would silently show nothing: unknown roles, metrics, aggregates and
// columns of cells.
func (s *Spec) validate() error {
	if s.ID == "" || len(s.Columns) == 0 || len(s.Sections) == 0 {
		return fmt.Errorf("id, columns or rows are missing; want all three")
	}
	var titles []string
	for _, c := range s.Columns {
		titles = append(titles, c.key(), c.Title)
		for _, show := range c.Show {
			if roles[show] == "" {
				return fmt.Errorf("column %q: show %q: want one of %s", c.Title, show, strings.Join(slices.Sorted(maps.Keys(roles)), ", "))
			}
		}
	}
	for _, section := range s.Sections {
		if err := section.Runs.validate(titles); err != nil {
			return fmt.Errorf("section %q: %w", section.Title, err)
		}
		for _, r := range section.Rows {
			for title := range r.Cells {
				if !slices.Contains(titles, title) {
					return fmt.Errorf("row %q: cells: no column %q", r.Label, title)
				}
			}
			if err := r.Runs.validate(titles); err != nil {
				return fmt.Errorf("row %q: %w", r.Label, err)
			}
			for _, c := range s.Columns {
				selection := s.selection(&section, &c, &r)
				if _, err := selection.metric(); err != nil {
					return fmt.Errorf("row %q, column %q: %w", r.Label, c.Title, err)
				}
			}
		}
	}
	return nil
}

func (r runNames) validate(titles []string) error {
	for title, names := range r.byColumn {
		if !slices.Contains(titles, title) {
			return fmt.Errorf("runs: no column %q", title)
		}
		if err := (runNames{all: names}).validate(titles); err != nil {
			return err
		}
	}
	for _, name := range r.all {
		if _, err := path.Match(name, ""); err != nil || !strings.Contains(name, "/") {
			return fmt.Errorf("runs: %q: want STUDY/NAME", name)
		}
	}
	return nil
}

// key names a column in Cells and Runs.
func (c *ColumnSpec) key() string {
	if c.Group != "" {
		return c.Group + " / " + c.Title
	}
	return c.Title
}

// selection merges the selections of the table, a section, a column, a row and its cell.
func (s *Spec) selection(section *sectionSpec, c *ColumnSpec, r *RowSpec) Selection {
	out := s.Selection
	out.merge(&section.Selection, c)
	out.merge(&c.Selection, c)
	out.merge(&r.Selection, c)
	for _, title := range []string{c.Title, c.key()} {
		if cell, ok := r.Cells[title]; ok {
			out.merge(&cell, c)
			break
		}
	}
	return out
}

// merge replaces the fields that o sets.
func (s *Selection) merge(o *Selection, c *ColumnSpec) {
	names := o.Runs.all
	for _, title := range []string{c.Title, c.key()} {
		if list, ok := o.Runs.byColumn[title]; ok {
			names = list
		}
	}
	if names != nil {
		s.Runs = runNames{all: names}
	} else if o.Runs.byColumn != nil {
		s.Runs = runNames{} // the mapping has no runs for this column
	}
	to, from := reflect.ValueOf(s).Elem(), reflect.ValueOf(o).Elem()
	for i := range from.NumField() {
		if f := from.Field(i); !f.IsZero() && from.Type().Field(i).Name != "Runs" {
			to.Field(i).Set(f)
		}
	}
}
