// Package tables holds the specifications of the tables of the paper, of questions that it
// leaves open, and of the documents.
package tables

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"sync"

	"github.com/goccy/go-yaml"

	"memobench/report/table"
)

//go:embed *.yaml
var files embed.FS

// Paper are the tables of the paper, Claims its claims, Open those on questions that it leaves open, Documents
// those of the README and the guides.
var (
	Paper     = sync.OnceValue(func() []table.Spec { return load("paper.yaml") })
	Open      = sync.OnceValue(func() []table.Spec { return load("open.yaml") })
	Claims    = sync.OnceValue(func() []table.Spec { return load("claims.yaml") })
	Documents = sync.OnceValue(func() []table.Spec { return load("documents.yaml") })
)

func load(name string) []table.Spec {
	data, err := files.ReadFile(name)
	if err == nil {
		var list []table.Spec
		if list, err = table.ParseSpecs(data); err == nil {
			return list
		}
	}
	panic(fmt.Sprintf("%s: %v", path.Join("report/tables", name), err)) // embedded, and read by a test
}

// Figure says which runs a figure shows.
type Figure struct {
	Kind string   `yaml:"kind"`
	Task string   `yaml:"task"`
	Runs []string `yaml:"runs"` // STUDY/NAME, with * for any text
}

// Figures lists the figures of the report.
var Figures = sync.OnceValue(func() []Figure {
	var list struct {
		Figures []Figure `yaml:"figures"`
	}
	data, err := files.ReadFile("figures.yaml")
	if err == nil {
		err = yaml.UnmarshalWithOptions(data, &list, yaml.Strict())
	}
	if err != nil {
		panic(fmt.Sprintf("report/tables/figures.yaml: %v", err)) // embedded, and read by a test
	}
	return list.Figures
})

// All returns every specification: the paper's, the open ones, those of the documents.
func All() []table.Spec { return slices.Concat(Claims(), Paper(), Open(), Documents()) }
