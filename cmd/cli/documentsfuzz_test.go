package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/internal/must"
)

// docs/extend.md lists every fuzz target and no other.
func TestGuideListsTheFuzzTargets(t *testing.T) {
	guide := read(t, filepath.Join(root, "docs"), "extend.md")
	listed := map[string]bool{}
	name := regexp.MustCompile("`(Fuzz\\w+)`")
	for _, row := range regexp.MustCompile("(?m)^\\| `\\./([a-z/]+)` \\| (`Fuzz.*) \\|$").FindAllStringSubmatch(string(guide), -1) {
		for _, m := range name.FindAllStringSubmatch(row[2], -1) {
			listed[row[1]+" "+m[1]] = true
		}
	}
	there := map[string]bool{}
	target := regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)
	must.Do(t, filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		for _, m := range target.FindAllStringSubmatch(string(text), -1) {
			there[filepath.ToSlash(dir)+" "+m[1]] = true
		}
		return err
	}))
	if d := cmp.Diff(there, listed); d != "" || len(there) == 0 {
		t.Errorf("-there +listed:\n%s", d)
	}
}
