package data

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// serve answers all requests.
func serve(t *testing.T, answer http.HandlerFunc) (url string) {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	return s.URL + "/f.tar.gz"
}

func TestFetchWritesTheWholeFileOnce(t *testing.T) {
	content := bytes.Repeat([]byte("0123456789"), 10_000)
	raw := sha256.Sum256(content)
	sum, requests := hex.EncodeToString(raw[:]), 0
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests++
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		w.Write(content)
	})
	path := filepath.Join(t.TempDir(), "sub", "f.tar.gz")
	d := Download{URL: url, Path: path, SHA256: sum, Check: func(string) error { return nil }}
	var done, total int64
	got, err := Fetch(t.Context(), d, func(_ string, n, of int64) { done, total = n, of })
	if err != nil || *got != (Fetched{Bytes: 100_000, SHA256: sum}) || done != 100_000 || total != 100_000 {
		t.Fatalf("%+v, %v; progress %d of %d", got, err, done, total)
	}
	if file, err := os.ReadFile(path); err != nil || !bytes.Equal(file, content) {
		t.Errorf("%d bytes were written, %v", len(file), err)
	}
	if got, err = Fetch(t.Context(), d, nil); err != nil || !got.Existing || got.SHA256 != sum || requests != 1 {
		t.Errorf("again: %+v, %v after %d requests", got, err, requests)
	}
	d.SHA256 = strings.Repeat("0", 64)
	if _, err := Fetch(t.Context(), d, nil); err == nil || !strings.Contains(err.Error(), "remove it") {
		t.Errorf("another sum: %v", err)
	}
	if entries(t, filepath.Dir(path)) != "[f.tar.gz]" {
		t.Errorf("left: %s", entries(t, filepath.Dir(path)))
	}
}

func TestFailedDownloadsLeaveNothing(t *testing.T) {
	sends := func(w http.ResponseWriter, r *http.Request) { w.Write(make([]byte, 1000)) }
	bad := errors.New("not an archive")
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		sum    string
		check  error
		want   string
	}{
		"not found":   {http.NotFound, "", nil, "status 404 Not Found"},
		"another sum": {sends, strings.Repeat("0", 64), nil, "the file has SHA-256 "},
		"bad content": {sends, "", bad, "not an archive"},
		"cut off": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "2000")
			sends(w, r)
		}, "", nil, "failed after 1000 bytes: unexpected EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			d := Download{URL: serve(t, c.answer), Path: filepath.Join(dir, "f"), SHA256: c.sum, Check: func(string) error { return c.check }}
			if _, err := Fetch(t.Context(), d, nil); err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), d.URL) {
				t.Errorf("%v, want %s: ...%s...", err, d.URL, c.want)
			}
			if entries(t, dir) != "[]" {
				t.Errorf("left: %s", entries(t, dir))
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	dir := t.TempDir()
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		sends(w, r)
		http.NewResponseController(w).Flush()
		cancel()
		<-r.Context().Done()
	})
	_, err := Fetch(ctx, Download{URL: url, Path: filepath.Join(dir, "f")}, nil)
	if !errors.Is(err, context.Canceled) || entries(t, dir) != "[]" {
		t.Errorf("interrupted: %v; left: %s", err, entries(t, dir))
	}
}

func TestErrorsOfFetchShowNoPassword(t *testing.T) {
	d := Download{URL: "http://user:secret@no-such-host.invalid/x", Path: filepath.Join(t.TempDir(), "f")}
	if _, err := Fetch(t.Context(), d, nil); err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "no-such-host.invalid") {
		t.Errorf("no such host: %v", err)
	}
}

func TestCheckURL(t *testing.T) {
	for text, want := range map[string]string{
		"http://example.test/a.tar.gz": "", "https://example.test": "", "ftp://example.test/a": `scheme "ftp"`, "example.test/a": `scheme ""`,
		"http://": "no host", "http://a b/": "invalid character", "file:///etc/passwd": `scheme "file"`,
	} {
		err := CheckURL(text)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
