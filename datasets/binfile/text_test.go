package binfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/datasets/must"
)

func TestDecode(t *testing.T) {
	for _, c := range []struct{ data, want, err string }{
		{"a\nb\n", "a\nb\n", ""},
		{"\xef\xbb\xbfa\r\nb\rc", "a\nb\nc", ""},
		{"\xff\xfea\x00", "", "UTF-16"},
		{"a\nb\xffc", "", "line 2: wrong encoding"},
		{"a\r\nb\r\nc\x00", "", "line 3: wrong encoding"},
	} {
		got, err := Text([]byte(c.data))
		if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: %q, %v", c.data, got, err)
		}
	}
}

func TestReadFileNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txt")
	must.Do(t, os.WriteFile(path, []byte("\xff\xfea"), 0o600))
	if _, err := ReadText(path, 10); err == nil || !strings.Contains(err.Error(), path) {
		t.Error(err)
	}
	if _, err := ReadText(path, 2); err == nil || !strings.Contains(err.Error(), "larger than 2 bytes") {
		t.Error(err)
	}
}

func TestYAML(t *testing.T) {
	for text, want := range map[string]string{
		"a: 3\n": "", "\xef\xbb\xbf---\r\na: 3\r\n": "", "a: 3\n---\na: 4\n": "a second document",
		"a: 3\n...\n": "", "# a\na: 3\n---\n": "", "\xff\xfea\x00:\x00": "UTF-16", "b: 3\n": "unknown field",
	} {
		var v struct {
			A int `yaml:"a"`
		}
		err := YAML([]byte(text), &v)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) || err == nil && v.A != 3 {
			t.Errorf("%q: %+v, %v", text, v, err)
		}
	}
}
