package engine

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"memobench/datasets/must"
)

// TestOnlyThisPackageImportsGorgonia reads the imports of all Go files of the
// repository, tests included.
func TestOnlyThisPackageImportsGorgonia(t *testing.T) {
	const root = "../.."
	found := false
	must.Do(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range file.Imports {
			if !strings.HasPrefix(i.Path.Value, `"gorgonia.org/`) {
				continue
			}
			found = true
			if filepath.Dir(path) != filepath.Join(root, "models", "engine") {
				t.Errorf("%s imports %s, want engine.Node and engine.Shape", path, i.Path.Value)
			}
		}
		return nil
	}))
	if !found {
		t.Error("no file imports Gorgonia: the test reads the wrong directory")
	}
}
