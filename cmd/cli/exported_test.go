package cli

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What an exported function takes and returns can be named by its caller: go doc shows no type
// that only its own package can name.
func TestExportedFunctionsHaveExportedTypes(t *testing.T) {
	functions := 0
	for _, part := range []string{"benchmarks", "datasets", "models", "report"} {
		err := filepath.WalkDir(filepath.Join(root, part), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() || d.Name() == "testdata" {
				return err
			}
			files, err := filepath.Glob(filepath.Join(path, "*.go"))
			if err != nil {
				return err
			}
			var parsed []*ast.File
			positions := token.NewFileSet()
			for _, name := range slices.DeleteFunc(files, func(n string) bool { return strings.HasSuffix(n, "_test.go") }) {
				file, err := parser.ParseFile(positions, name, nil, parser.SkipObjectResolution)
				if err != nil {
					return err
				}
				parsed = append(parsed, file)
			}
			if len(parsed) == 0 {
				return nil
			}
			own := declaredTypes(parsed) // before go/doc removes what is not exported
			p, err := doc.NewFromFiles(positions, parsed, path)
			if err != nil {
				return err
			}
			list := p.Funcs
			for _, typ := range p.Types {
				list = append(append(list, typ.Funcs...), typ.Methods...)
			}
			for _, f := range list {
				functions++
				for _, name := range typeNames(f.Decl.Type) {
					if own[name] && !ast.IsExported(name) {
						t.Errorf("%s: exported %s %s has the type %s", path, f.Recv, f.Name, name)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if functions < 300 {
		t.Errorf("%d functions seen", functions)
	}
}

func declaredTypes(files []*ast.File) map[string]bool {
	names := map[string]bool{}
	for _, file := range files {
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				for _, s := range g.Specs {
					names[s.(*ast.TypeSpec).Name.Name] = true
				}
			}
		}
	}
	return names
}

// typeNames returns the names, without a package, in the parameters and results of a function.
func typeNames(f *ast.FuncType) (names []string) {
	for _, fields := range []*ast.FieldList{f.Params, f.Results} {
		if fields == nil {
			continue
		}
		for _, field := range fields.List {
			ast.Inspect(field.Type, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					return false
				case *ast.Ident:
					names = append(names, n.Name)
				}
				return true
			})
		}
	}
	return names
}
