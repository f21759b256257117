package babi

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestEveryErrorOfAFileIsReported(t *testing.T) {
	const bad = "1 Mary went to the office.\n" +
		"2 Where is Mary?\toffice\t1\n" +
		"3 .\n" + // 3: no words
		"4 Where is John?\n" + // 4: no answer
		"5 Where is Mary?\toffice\t9\n" + // 5: no such fact
		"7 Mary sat.\n" + // 6: the rest of the story is skipped
		"8 Where is Mary?\toffice\t9\n" +
		"1 John sat.\n" +
		"2 Who sat?\tjohn and mary\n" + // 9: two words
		"3 Who sat?\tjohn\t1\n"
	dir := writeFiles(t, map[string]string{"qa1_train.txt": bad, "qa1_test.txt": "1 Mary sat.\n2 Who?\tmary\t1\n"})
	files, _, err := Files(dir)
	if err != nil || len(files) != 2 {
		t.Fatalf("%+v, %v", files, err)
	}
	var got []string
	stories, questions := files[0].Check(func(err error) { got = append(got, err.Error()) })
	for i, want := range []string{
		`:3: no words in "."`, ":4: missing answer", `:5: supporting fact "9" is not`, ":6: line number 7: want 6", ":9: malformed answer",
	} {
		if i >= len(got) || !strings.HasPrefix(got[i], filepath.Join(dir, "qa1_train.txt")+want) {
			t.Errorf("error %d: want ...%s..., got %q", i, want, got)
		}
	}
	if len(got) != 5 || stories != 2 || questions != 2 {
		t.Errorf("%d stories, %d questions, errors %q", stories, questions, got)
	}
	if stories, questions := files[1].Check(func(err error) { t.Error(err) }); stories != 1 || questions != 1 {
		t.Errorf("%d stories, %d questions", stories, questions)
	}
}

var checked = []string{
	"1 a\n2 b?\tc\t1\n", "2 a\n", "1 a\n", "", "\xff\xfe1\x00", "1 a?\n", "1 \xe4\n1 a\n2 b\tc\n", "1 a\n2 b\tc\t\t\n", "1 .\n2 a\tb\n", "x\n1 a\n2 b\tc\n",
}

// checkAgrees checks that Check reports an error if and only if reading fails, with the same first
// error.
func checkAgrees(t *testing.T, data []byte) {
	t.Helper()
	_, first := parse("f", data, mustLexicon(t, nil), limits{})
	var got []string
	File{in: &input{"f", func() ([]byte, error) { return data, nil }}}.Check(func(err error) { got = append(got, err.Error()) })
	if (first == nil) != (len(got) == 0) || first != nil && first.Error() != got[0] {
		t.Errorf("%q: reading it: %v; checking it: %q", data, first, got)
	}
}

func TestChecksAndReadingAgree(t *testing.T) {
	for _, text := range checked {
		checkAgrees(t, append([]byte{}, text...)) // not nil
	}
}

func FuzzCheck(f *testing.F) {
	for _, text := range checked {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkAgrees(t, append([]byte{}, data...)) })
}

func TestWhatCannotBeReadIsReported(t *testing.T) {
	gone := File{in: onDisk(filepath.Join(t.TempDir(), "qa1_test.txt"))}
	var got []error
	if gone.Check(func(err error) { got = append(got, err) }); len(got) != 1 {
		t.Errorf("a file that is gone: %v", got)
	}
}

func TestTheSmallFilesAreFaultless(t *testing.T) {
	files, _, err := Files(smallDir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		f.Check(func(err error) { t.Error(err) })
		names = append(names, filepath.Base(f.Name))
	}
	if len(names) < 5 || !slices.IsSortedFunc(files, func(a, b File) int { return a.Task - b.Task }) {
		t.Errorf("files %q", names)
	}
}
