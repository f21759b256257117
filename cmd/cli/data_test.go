package cli

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/datasets/must"
)

func TestWrongUsageOfDataExitsWith2AndSuggests(t *testing.T) {
	for line, want := range map[string]string{
		"data":                                    "a command is needed: export, gen, fetch, validate, stats, show",
		"data valdate x":                          `did you mean "validate"`,
		"data frobnicate":                         "there are: help, export, gen, fetch",
		"data --json stats babi":                  "flag --json comes before the command",
		"data help shwo":                          `did you mean "show"`,
		"data gen":                                "a task is needed, for example: memobench data gen babi --out data/babi-told",
		"data gen pai3":                           "--out is needed, for example --out data/pai3",
		"data gen pai33 --out x":                  `did you mean "pai3"`,
		"data gen pai3 sp10-2-2 --out x":          `argument "sp10-2-2" is left over`,
		"data gen pai3 --out x --count 0":         "--count 0: want 1 or more",
		"data export pai3 --out x --set row=x":    `did you mean "rows"`,
		"data export pai3 --out x --set rows":     "want key=value",
		"data export pai3 --out x --set rows=odd": `setting rows = "odd"`,
		"data gen pai3 --out x --sed 1":           "data gen: unknown flag --sed: did you mean --seed?",
		"data gen pai3 --out x --seed -1":         "data gen: --seed \"-1\": want a whole number, 0 or above",
		"data gen pai3-npy --out x":               "tasks with files that are generated: babi, pai3-embeddings",
		"data gen babi --out x --set tasks=21":    `setting tasks = "21"`,
		"data gen babi --out x --set max_rows=":   "max_rows",
		"data gen babi --out x --set max_rows=9":  "only tasks changes the stories that are written",
		"data fetch":                              "what to fetch is needed, for example: memobench data fetch babi",
		"data fetch bab":                          `did you mean "babi"`,
		"data fetch babi --url ftp://x/y":         `--url: scheme "ftp", want http or https`,
		"data fetch babi --sha256 12":             `--sha256 "12": want 64 hexadecimal digits`,
		"data fetch babi --sha256 zz":             "want 64 hexadecimal digits",
		"data validate":                           "a path is needed",
		"data validate a b":                       `argument "b" is left over`,
		"data stats":                              "a task or a path is needed",
		"data stats pia3":                         `did you mean "pai3"`,
		"data stats pai3 --split tset":            "want train, validation or test",
		"data stats pai3 --count 0":               "--count 0: want 1 to 10000000",
		"data stats pai3 --count 1099511627776":   "--count 1099511627776: want 1 to 10000000",
		"data stats pai3 --data x":                "no file is read for pai3",
		"data stats pai3 --set classes=3":         "setting classes = 3",
		"data stats . --seed 1":                   "--seed is for tasks, and . is a path",
		"data show":                               "a task is needed",
		"data show pia3":                          `did you mean "pai3"`,
		"data show pai3 --kind A-D":               `did you mean "A-`,
		"data show babi --data . --kind 0":        "",
		"data show pai3 -n 0":                     "--number 0: want 1 to ",
		"data show pai3 --split tset":             "want train, validation or test",
		"data show pai3 --data x":                 "no file is read for pai3",
		"data show sp --set nodes=5":              "setting nodes = 5",
	} {
		t.Run(line, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if want == "" { // needs stories
				writeStories(t, ".")
				want = `unknown kind "0"; there are: 1`
			}
			command(strings.Fields(line)...).want(t, exitUsage, want)
			if list := glob("x*"); len(list) > 0 {
				t.Errorf("left: %q", list)
			}
		})
	}
}

// cacheAt makes dir the user's directory for cached data.
func cacheAt(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} { // of Unix, macOS and Windows
		t.Setenv(name, dir)
	}
	t.Setenv("MEMOBENCH_BABI", "")
}

// storyArchive returns a .tar.gz like the official one, with made-up stories of
// the first task.
func storyArchive(t *testing.T) []byte {
	t.Helper()
	dir := t.TempDir()
	writeStories(t, dir)
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	w := tar.NewWriter(zipped)
	for _, path := range glob(filepath.Join(dir, "*.txt")) {
		data := must.Get(os.ReadFile(path))(t)
		must.Do(t, w.WriteHeader(&tar.Header{Name: "tasks_1-20_v1-2/en-10k/" + filepath.Base(path), Mode: 0o644, Size: int64(len(data)), Typeflag: tar.TypeReg}))
		must.Get(w.Write(data))(t)
	}
	must.Do(t, w.Close())
	must.Do(t, zipped.Close())
	return b.Bytes()
}

// The column of names fits all of them.
func TestLsKeepsItsColumns(t *testing.T) {
	got := command("ls").want(t, exitGood)
	column := strings.Index(got.stdout, "MEMO (Banino") - strings.LastIndex(got.stdout[:strings.Index(got.stdout, "MEMO (Banino")], "\n") - 1
	for _, l := range strings.Split(got.stdout, "\n") {
		if strings.HasPrefix(l, "  ") && (len(l) <= column || l[column-1] != ' ' || l[column-2] != ' ' || l[column] == ' ') {
			t.Errorf("column %d is out of line: %q", column, l)
		}
	}
	got.prints(t, "\n  pai3-embeddings  ", "\n  sp10-2-2  ", "\n  memo-posenc-norec  ")
}
