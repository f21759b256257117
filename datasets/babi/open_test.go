package babi

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
)

func TestBadSettingsAreNamed(t *testing.T) {
	change := func(f func(s *Settings)) Settings { s := *Defaults(); f(&s); return s }
	for _, c := range []struct {
		key, want string
		s         Settings
	}{
		{"tasks", `= "0": want all, or numbers and ranges from 1 to 20`, with("0")},
		{"tasks", `= "21"`, with("21")},
		{"tasks", `= "3-1"`, with("3-1")},
		{"tasks", `= ""`, with("")},
		{"tasks", `= "1,,2"`, with("1,,2")},
		{"tasks", `= "one"`, with("one")},
		{"validation", "= 0.6: want 0 to 0.5", change(func(s *Settings) { s.Validation = .6 })},
		{"validation", "= -0.1: want 0 to 0.5", change(func(s *Settings) { s.Validation = -.1 })},
		{"validation", "= NaN: want 0 to 0.5", change(func(s *Settings) { s.Validation = math.NaN() })},
		{"source", `= "web": want files, simulated or off`, change(func(s *Settings) { s.Source = textOf("web") })},
		{"max_rows", "= -1: want 0 (no limit) to 1000000", change(func(s *Settings) { s.MaxRows = -1 })},
	} {
		_, err := Open(c.s, datasets.Options{DataPath: smallDir})
		var bad *datasets.SettingError
		if !errors.As(err, &bad) || bad.Key != c.key || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want setting %s %s", c.s, err, c.key, c.want)
		}
	}
}

func TestTaskListsAreReadAndWritten(t *testing.T) {
	for list, want := range map[string]string{
		"all": "1-20", "1": "1", "2,1": "1,2", "1,2,15-17": "1,2,15-17", "15, 2 ,1,16-17": "1,2,15-17", "4-20,1,2": "1,2,4-20", "5,5": "5",
	} {
		numbers, err := parseTasks(list)
		if err != nil || formatTasks(numbers) != want {
			t.Errorf("%q: %v, %v, want %s", list, numbers, err, want)
		}
	}
}

func TestMissingFilesAreNamedAndNothingIsLeftOut(t *testing.T) {
	for _, c := range []struct {
		tasks string
		split []datasets.Split
		want  []string
	}{
		{"1-3", nil, []string{"task 3 cannot be run", "qa3_three-supporting-facts_train.txt", "--set tasks=1,2\n", "memobench data fetch babi",
			"--set substitute_task3=true", "qa3_train_substitute_10k.txt"}},
		{"all", nil, []string{"tasks 3-20 cannot be run", "--set tasks=1,2\n"}},
		{"4", []datasets.Split{datasets.Test}, []string{"qa4_two-arg-relations_test.txt", "--set tasks=1-3\n"}},
	} {
		_, err := Open(with(c.tasks), datasets.Options{DataPath: smallDir, Splits: c.split})
		for _, part := range c.want {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("tasks %s: the message lacks %q: %v", c.tasks, part, err)
			}
		}
	}
}

func TestSubstituteIsUsedWhenAskedForAndLabelled(t *testing.T) {
	s := with("1-3")
	s.SubstituteTask3 = true
	src := mustOpen(t, s, datasets.Options{DataPath: smallDir})
	if l := src.Spec().Caveats.Texts(); !slices.Contains(l, "task 3: substitute training data (an unknown file)") {
		t.Errorf("labels %q", l)
	}
	if got := src.Spec().Settings["task3_training"]; got != "substitute" {
		t.Errorf("task3_training = %q", got)
	}

	// With the official file the substitute is not used, and there is no caveat.
	s.Tasks = "1,2"
	if l := mustOpen(t, s, datasets.Options{DataPath: smallDir}).Spec().Caveats.Texts(); strings.Contains(strings.Join(l, ""), "substitute") {
		t.Errorf("tasks 1 and 2: labels %q", l)
	}
	files := smallFiles(t, "en-10k/")
	files["en-10k/qa3_three-supporting-facts_train.txt"] = files["en-10k/qa3_three-supporting-facts_test.txt"]
	files[substituteName] = "1 A b.\n2 C?\tb\n"
	s.Tasks = "3"
	spec := mustOpen(t, s, datasets.Options{DataPath: writeFiles(t, files)}).Spec()
	if spec.Settings["task3_training"] != "official" || strings.Contains(strings.Join(spec.Caveats.Texts(), ""), "substitute") {
		t.Errorf("with the official file: %+v", spec)
	}
}

func TestSplitsThatAreNotNeededMayLackFiles(t *testing.T) {
	src := mustOpen(t, with("1-3"), datasets.Options{DataPath: smallDir, Splits: []datasets.Split{datasets.Test}})
	var b datasets.Batch
	if err := src.Batch(&b, datasets.Test, 0, 0, 4); err != nil {
		t.Error(err)
	}
	const want = "task 3 cannot be run"
	if err := src.Batch(&b, datasets.Train, 0, 0, 4); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("training data: %v", err)
	}
	for _, err := range src.Examine(datasets.Validation, 0, 0, 4) {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("validation data: %v", err)
		}
	}
}

func TestDataAreFoundInEveryForm(t *testing.T) {
	want := mustOpen(t, with("1,2"), datasets.Options{DataPath: smallDir}).Spec().Hash
	junk := map[string]string{"README": "x", "en-10k/._qa1_x_train.txt": "x", "en/qa1_x_train.txt": "1 A.\n2 A?\tb\n"}
	join := func(files map[string]string) map[string]string {
		for n, d := range junk {
			files[n] = d
		}
		return files
	}
	windows := smallFiles(t, "en-10k/")
	for name, data := range windows {
		windows[name] = "\ufeff" + strings.ReplaceAll(data, "\n", "\r\n")
	}
	official := archive(t, join(smallFiles(t, "tasks_1-20_v1-2/en-10k/")))
	for name, path := range map[string]string{
		"directory itself":  smallDir + "/en-10k",
		"two levels above":  writeFiles(t, smallFiles(t, "tasks_1-20_v1-2/en-10k/")),
		"Windows line ends": writeFiles(t, windows),
		"with other files":  writeFiles(t, join(smallFiles(t, "en-10k/"))),
		"archive's folder":  writeFiles(t, map[string]string{archiveName: official}),
		"archive":           filepath.Join(writeFiles(t, map[string]string{"a.tar.gz": official}), "a.tar.gz"),
	} {
		src, err := Open(with("1,2"), datasets.Options{DataPath: path})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := src.Spec().Hash; got != want {
			t.Errorf("%s: hash %s, want %s", name, got, want)
		}
	}
	t.Setenv(envPath, smallDir)
	if got := mustOpen(t, with("1,2"), datasets.Options{}).Spec().Hash; got != want {
		t.Errorf("$%s: hash %s, want %s", envPath, got, want)
	}
}

func TestUnusablePathsAreExplained(t *testing.T) {
	cut := archive(t, smallFiles(t, "en-10k/"))
	dir := writeFiles(t, map[string]string{
		"empty/x":               "",
		"twice/qa1_a_train.txt": "1 A.\n2 A?\tb\n",
		"twice/qa1_b_train.txt": "1 A.\n2 A?\tb\n",
		"none.tar.gz":           archive(t, map[string]string{"x": "y"}),
		"cut.tar.gz":            cut[:len(cut)/2],
		"text":                  "hello\n",
		"bad/qa1_train.txt":     "1 Mary sat.\n2 Who?\n",
		"bad/qa1_test.txt":      "1 Mary sat.\n2 Who?\tmary\n",
	})
	for name, want := range map[string]string{
		"nowhere":     "no such file",
		"empty":       "no bAbI files",
		"twice":       "are both train files of task 1",
		"none.tar.gz": "no bAbI files",
		"cut.tar.gz":  "unexpected EOF",
		"text":        "text: neither a directory of bAbI files nor their archive",
		"bad":         "qa1_train.txt:2: missing answer",
	} {
		_, err := Open(with("1"), datasets.Options{DataPath: filepath.Join(dir, name), Splits: []datasets.Split{datasets.Test}})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v, want ...%s...", name, err, want)
		}
	}

	t.Setenv(envPath, "")
	t.Chdir(filepath.Join(dir, "empty"))
	files := with("1")
	files.Source = textOf(fromFiles)
	_, err := Open(files, datasets.Options{})
	if !errors.Is(err, ErrNoData) || !strings.Contains(err.Error(), envPath) || !strings.Contains(err.Error(), "--data") {
		t.Errorf("no data: %v", err)
	}
	// A wrong variable is an error; the default paths are not searched.
	must.Do(t, os.MkdirAll("data/babi", 0o755))
	t.Setenv(envPath, "nowhere")
	if _, err := Open(with("1"), datasets.Options{}); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("wrong variable: %v", err)
	}
}

func TestOtherFilesAreReadWithTheModelsWords(t *testing.T) {
	whole := mustOpen(t, with("1,2"), datasets.Options{DataPath: smallDir})
	trained := &datasets.Trained{Shape: whole.Shape(), Vocabulary: whole.Vocabulary()}
	open := func(test string) (*Source, error) {
		dir := writeFiles(t, map[string]string{"qa1_test.txt": test})
		return Open(with("1"), datasets.Options{DataPath: dir, Splits: []datasets.Split{datasets.Test}, Trained: trained})
	}
	src := must.Get(open("1 Ben ran to the attic.\n2 Where is Ben?\tattic\t1\n"))(t)
	if src.Shape() != whole.Shape() || !slices.Equal(src.Vocabulary(), whole.Vocabulary()) {
		t.Errorf("shape %+v", src.Shape())
	}
	var b datasets.Batch
	must.Do(t, src.Batch(&b, datasets.Test, 0, 0, 1))
	if got := whole.words[b.Targets[0]]; got != "attic" {
		t.Errorf("answer %q, want attic", got)
	}
	long := strings.Builder{}
	for i := range 7 {
		long.WriteString(string(rune('1'+i)) + " Ben ran to the attic.\n")
	}
	for text, want := range map[string]string{
		"1 Ben ran to the attic.\n2 Zoe ran to the attic.\n":       `qa1_test.txt:2: the model's vocabulary of`,
		"1 Ben ran ran ran ran to the attic.\n":                    "qa1_test.txt:1: sentence of 8 words: the model takes 5",
		long.String() + "8 Where is Ben?\tattic\n":                 "qa1_test.txt:8: a question about 7 statements: the model takes 4; --set max_rows=4",
		"1 Ben ran to the attic.\n2 Where is Ben?\tspaceship\t1\n": `qa1_test.txt:2: the model's vocabulary`,
	} {
		if _, err := open(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want ...%s...", err, want)
		}
	}
	if _, err := Open(with("1"), datasets.Options{DataPath: smallDir, Trained: &datasets.Trained{}}); err == nil {
		t.Error("a model without words is accepted")
	}
	// The hash does not depend on whether the vocabulary is fixed.
	again := mustOpen(t, with("1,2"), datasets.Options{DataPath: smallDir, Trained: trained})
	if again.Spec().Hash != whole.Spec().Hash {
		t.Errorf("hash %s when evaluating, %s when training", again.Spec().Hash, whole.Spec().Hash)
	}
}
