package export

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memobench/datasets"
	"memobench/datasets/must"
)

// serve answers all requests.
func serve(t *testing.T, answer http.HandlerFunc) (url string) {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	return s.URL + "/f.tar.gz"
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
			d := datasets.Download{URL: serve(t, c.answer), SHA256: c.sum, Check: func(string) (int, error) { return 0, c.check }}
			if _, err := Fetch(t.Context(), d, filepath.Join(dir, "f"), nil); err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), d.URL) {
				t.Errorf("%v, want %s: ...%s...", err, d.URL, c.want)
			}
			if names(t, dir) != "[]" {
				t.Errorf("left: %s", names(t, dir))
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
	_, err := Fetch(ctx, datasets.Download{URL: url}, filepath.Join(dir, "f"), nil)
	if !errors.Is(err, context.Canceled) || names(t, dir) != "[]" {
		t.Errorf("interrupted: %v; left: %s", err, names(t, dir))
	}
}

// A server that accepts a request and then says nothing does not hold the program.
func TestFetchEndsWithASilentServer(t *testing.T) {
	defer func(d time.Duration) { timeout = d }(timeout)
	timeout = 100 * time.Millisecond
	for _, sent := range []int{0, 1000} {
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if sent > 0 {
				w.Write(make([]byte, sent))
				http.NewResponseController(w).Flush()
			}
			<-r.Context().Done()
		})
		dir := t.TempDir()
		_, err := Fetch(t.Context(), datasets.Download{URL: url}, filepath.Join(dir, "f"), nil)
		if err == nil || !strings.Contains(err.Error(), "Client.Timeout") || errors.Is(err, context.Canceled) || names(t, dir) != "[]" {
			t.Errorf("%d bytes sent: %v; left: %s", sent, err, names(t, dir))
		}
	}
}

// A file that exists stays, and the error says that it is the one that fails.
func TestFetchKeepsABadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	must.Do(t, os.WriteFile(path, []byte("mine"), 0o666))
	d := datasets.Download{URL: "http://no-such-host.invalid/f", Check: func(string) (int, error) { return 0, errors.New("not an archive") }}
	_, err := Fetch(t.Context(), d, path, nil)
	if data, _ := os.ReadFile(path); err == nil || err.Error() != path+" exists: not an archive; remove it to download it again" || string(data) != "mine" {
		t.Errorf("%v; the file holds %q", err, data)
	}
}

func TestErrorsOfFetchShowNoPassword(t *testing.T) {
	d := datasets.Download{URL: "http://user:secret@no-such-host.invalid/x"}
	if _, err := Fetch(t.Context(), d, filepath.Join(t.TempDir(), "f"), nil); err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "no-such-host.invalid") {
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
