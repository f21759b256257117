// Package tables holds the specifications of the tables of the paper, of questions that it
// leaves open, and of the documents.
package tables

import (
	"embed"
	"fmt"
	"slices"
	"sync"

	"github.com/goccy/go-yaml"

	"memobench/report/table"
)

//go:embed *.yaml
var files embed.FS

// specs are the specifications by name of their file.
var specs = sync.OnceValue(func() map[string][]table.Spec {
	all := map[string][]table.Spec{}
	for _, name := range []string{"claims", "paper", "open", "documents"} {
		all[name] = read(name, table.ParseSpecs)
	}
	return all
})

// Specs returns the tables of the "paper", its "claims", those on questions that it leaves "open",
// or those of the README and the guides, "documents".
func Specs(name string) []table.Spec { return specs()[name] }

// All returns every specification.
func All() []table.Spec {
	return slices.Concat(Specs("claims"), Specs("paper"), Specs("open"), Specs("documents"))
}

// figure says which runs a figure shows.
type figure struct {
	Kind string   `yaml:"kind"`
	Task string   `yaml:"task"`
	Runs []string `yaml:"runs"` // STUDY/NAME, with * for any text
}

// Figures lists the figures of the report.
var Figures = sync.OnceValue(func() []figure {
	return read("figures", func(data []byte) ([]figure, error) {
		var list struct {
			Figures []figure `yaml:"figures"`
		}
		err := yaml.UnmarshalWithOptions(data, &list, yaml.Strict())
		return list.Figures, err
	})
})

func read[T any](name string, parse func([]byte) (T, error)) T {
	data, err := files.ReadFile(name + ".yaml")
	var parsed T
	if err == nil {
		parsed, err = parse(data)
	}
	if err != nil {
		panic(fmt.Sprintf("report/tables/%s.yaml: %v", name, err)) // embedded, and read by a test
	}
	return parsed
}
