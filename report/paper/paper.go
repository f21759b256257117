// Package paper holds the results that Banino et al. (ICLR 2020) print, as data with a small
// reader.
package paper

import (
	_ "embed"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
)

//go:embed results.yaml
var resultsYAML []byte

// Value is a published number.
type Value struct {
	Mean     float64
	SD       float64
	HasSD    bool
	Fraction bool // SD is printed as a fraction of 1 where Mean is in per cent
	Digits   int  // decimals as printed
}

// resultsTable is one of the paper's tables of results.
type resultsTable struct {
	Number  int      `yaml:"table"`
	Task    string   `yaml:"task"` // empty for a table on several tasks, whose rows are named TASK/ROW
	Models  []string `yaml:"models"`
	Remarks []string `yaml:"remarks"`
	Rows    []struct {
		Name   string   `yaml:"row"`
		Title  string   `yaml:"title"`
		Values []string `yaml:"values"`
	} `yaml:"rows"`
}

// tables returns the paper's tables of results, 1 to 10.
var tables = sync.OnceValue(func() []resultsTable {
	var list []resultsTable
	if err := yaml.UnmarshalWithOptions(resultsYAML, &list, yaml.Strict()); err != nil {
		panic(fmt.Sprintf("results.yaml: %v", err)) // embedded, and read by a test
	}
	return list
})

// Lookup returns the number in a row of a table, in the column of a model; false where the
// paper has none.
func Lookup(number int, row, model string) (Value, bool) {
	for _, t := range tables() {
		if t.Number != number {
			continue
		}
		for _, r := range t.Rows {
			if r.Name != row {
				continue
			}
			for i, m := range t.Models {
				if m == model && i < len(r.Values) && r.Values[i] != "" {
					return parse(r.Values[i]), true
				}
			}
		}
	}
	return Value{}, false
}

// OfTask returns the paper's table of a task by kind of question, and the row in which it has
// a kind, or a node of a path; false for a task or kind that the paper does not have.
func OfTask(task, kind string) (number int, row string, ok bool) {
	for _, t := range tables() {
		switch {
		case t.Number == 7 || t.Number == 9: // ablations
		case t.Task == task && t.Number != 3:
			row = kind
		case t.Task == "" && t.Number == 2:
			row = task + "/" + kind
		default:
			continue
		}
		for _, r := range t.Rows {
			if row != "" && r.Name == row {
				return t.Number, row, true
			}
		}
	}
	return 0, "", false
}

var printed = regexp.MustCompile(`^([0-9.]+)(?:\(([0-9.]+)\)(f?))?$`)

// parse reads a number as printed. The data are embedded, and read by a test.
func parse(text string) Value {
	m := printed.FindStringSubmatch(text)
	if m == nil {
		panic(fmt.Sprintf("results.yaml: %q", text))
	}
	mean, _ := strconv.ParseFloat(m[1], 64)
	v := Value{Mean: mean, HasSD: m[2] != "", Fraction: m[3] != ""}
	if v.HasSD {
		v.SD, _ = strconv.ParseFloat(m[2], 64)
	}
	_, decimals, _ := strings.Cut(m[1], ".")
	v.Digits = len(decimals)
	return v
}
