package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"memobench/datasets/must"
)

// .ci/run builds what the installed tools allow; tools here are scripts that log their
// calls.
func TestContinuousIntegrationBuildsWhatTheMachineCan(t *testing.T) {
	bash := must.Get(exec.LookPath("bash"))(t)
	dirname := must.Get(exec.LookPath("dirname"))(t)
	const pure, cgo, openblas = "0 build ./...", "1 build ./...", "1 build -tags openblas ./..."
	for _, c := range []struct {
		what     string
		cc, blas bool
		want     []string
		left     int // "left out" lines
	}{
		{"everything", true, true, []string{pure, cgo, openblas}, 0},
		{"no OpenBLAS", true, false, []string{pure, cgo}, 1},
		{"no C compiler", false, true, []string{pure}, 3},
	} {
		t.Run(c.what, func(t *testing.T) {
			dir := t.TempDir()
			log := filepath.Join(dir, "log")
			must.Do(t, os.Symlink(dirname, filepath.Join(dir, "dirname")))
			script(t, filepath.Join(dir, "go"), `echo "$CGO_ENABLED $*" >> `+log)
			script(t, filepath.Join(dir, "make"), "")
			if c.cc {
				script(t, filepath.Join(dir, "cc"), "")
			}
			if c.blas {
				script(t, filepath.Join(dir, "pkg-config"), "")
			}
			cmd := exec.Command(bash, filepath.Join(root, ".ci", "run"))
			cmd.Env = []string{"PATH=" + dir}
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			data := must.Get(os.ReadFile(log))(t)
			var builds []string
			for _, l := range strings.Split(string(data), "\n") {
				if strings.Contains(l, " build ") {
					builds = append(builds, l)
				}
			}
			if got, want := strings.Join(builds, "; "), strings.Join(c.want, "; "); got != want {
				t.Errorf("built %s, want %s", got, want)
			}
			if n := strings.Count(string(out), "left out: "); n != c.left {
				t.Errorf("%d parts left out, want %d:\n%s", n, c.left, out)
			}
		})
	}
}
