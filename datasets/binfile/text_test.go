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
