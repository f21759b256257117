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
	"sync/atomic"
	"testing"
	"time"
)

func sumOf(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

// serve answers all requests and counts them.
func serve(t *testing.T, answer http.HandlerFunc) (url string, requests *atomic.Int32) {
	t.Helper()
	requests = new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/f.tar.gz", requests
}

func sends(data []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { w.Write(data) }
}

func anything(string) error { return nil }

// get downloads into dir/sub.
func get(url, dir string, change ...func(*Download)) (*Fetched, error) {
	d := Download{URL: url, Path: filepath.Join(dir, "sub", "f.tar.gz"), Limit: 1 << 20, Check: anything, Stall: 10 * time.Second}
	for _, c := range change {
		c(&d)
	}
	return Fetch(context.Background(), d)
}

func known(data []byte) func(*Download) { return func(d *Download) { d.SHA256 = sumOf(data) } }

// wantFiles checks which files are in dir/sub.
func wantFiles(t *testing.T, dir, want string) {
	t.Helper()
	list, err := os.ReadDir(filepath.Join(dir, "sub"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	if got := strings.Join(names, " "); got != want {
		t.Errorf("files %q, want %q", got, want)
	}
}

func TestFetchWritesTheWholeFileOnce(t *testing.T) {
	content := bytes.Repeat([]byte("0123456789"), 10_000)
	url, requests := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/f.tar.gz" {
			http.Redirect(w, r, "/elsewhere", http.StatusFound)
			return
		}
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		w.Write(content)
	})
	dir := t.TempDir()
	var done, total int64
	got, err := get(url, dir, known(content), func(d *Download) {
		d.Progress = func(_ string, n, of int64) { done, total = n, of }
	})
	if err != nil || *got != (Fetched{Bytes: 100_000, SHA256: sumOf(content)}) || done != 100_000 || total != 100_000 {
		t.Fatalf("%+v, %v; progress %d of %d", got, err, done, total)
	}
	file, err := os.ReadFile(filepath.Join(dir, "sub", "f.tar.gz"))
	if err != nil || !bytes.Equal(file, content) {
		t.Errorf("%d bytes were written, %v", len(file), err)
	}
	wantFiles(t, dir, "f.tar.gz")

	got, err = get(url, dir, known(content))
	if err != nil || !got.Existing || got.SHA256 != sumOf(content) || requests.Load() != 2 {
		t.Errorf("again: %+v, %v after %d requests", got, err, requests.Load())
	}
	bad := errors.New("not an archive")
	for name, change := range map[string]func(*Download){
		"another sum": known(nil), "failed check": func(d *Download) { d.Check = func(string) error { return bad } },
	} {
		if _, err := get(url, dir, change); err == nil || !strings.Contains(err.Error(), "remove it") {
			t.Errorf("existing file, %s: %v", name, err)
		}
	}
	wantFiles(t, dir, "f.tar.gz")
}

func TestFailedDownloadsLeaveNothing(t *testing.T) {
	content := make([]byte, 1000)
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(code) }
	}
	hang := func(w http.ResponseWriter, r *http.Request) {
		w.Write(content)
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		change func(*Download)
		want   string
	}{
		"not found":   {status(404), nil, "status 404 Not Found"},
		"no content":  {status(204), nil, "status 204 No Content"},
		"too long":    {sends(make([]byte, 1<<20+1)), nil, "sends more than 1048576 bytes"},
		"another sum": {sends(content), known(nil), "the file has SHA-256 " + sumOf(content) + ", want " + sumOf(nil)},
		"bad content": {sends(content), func(d *Download) { d.Check = func(string) error { return errors.New("not an archive") } }, "not an archive"},
		"stalled":     {hang, func(d *Download) { d.Stall = 50 * time.Millisecond }, "failed after 1000 bytes: no data for 50ms"},
		"cut off": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "2000")
			w.Write(content)
		}, nil, "failed after 1000 bytes: unexpected EOF"},
		"in circles": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/again", http.StatusFound) }, nil,
			"redirection refused: more than 10"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			url, _ := serve(t, c.answer)
			change := c.change
			if change == nil {
				change = func(*Download) {}
			}
			if _, err := get(url, dir, change); err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), url) {
				t.Errorf("%v, want %s: ...%s...", err, url, c.want)
			}
			wantFiles(t, dir, "")
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	dir := t.TempDir()
	url, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		cancel()
		hang(w, r)
	})
	_, err := Fetch(ctx, Download{URL: url, Path: filepath.Join(dir, "sub", "f"), Limit: 1 << 20, Check: anything})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	wantFiles(t, dir, "")
}

func TestFetchRefusesRedirectionsFromHTTPS(t *testing.T) {
	plain, requests := serve(t, sends(nil))
	secure := httptest.NewTLSServer(http.RedirectHandler(plain, http.StatusFound))
	defer secure.Close()
	client := secure.Client()
	client.CheckRedirect = checkRedirect
	_, err := get(secure.URL, t.TempDir(), func(d *Download) { d.Client = client })
	if err == nil || !strings.Contains(err.Error(), "redirection refused: from https://") || requests.Load() != 0 {
		t.Errorf("%v after %d requests", err, requests.Load())
	}
}

func TestErrorsOfFetchShowNoPassword(t *testing.T) {
	_, err := get("http://user:secret@no-such-host.invalid/x", t.TempDir())
	if err == nil || strings.Contains(err.Error(), "secret") || !strings.HasPrefix(err.Error(), "http://user:xxxxx@no-such-host.invalid/x: ") {
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
