package fetch

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// get downloads from s into dir with quick pauses.
func get(s *server, dir string, change ...func(*Request)) (*Result, []string, error) {
	var notes []string
	r := Request{URL: s.URL + "/f.tar.gz", Path: filepath.Join(dir, "sub", "f.tar.gz"), Limit: 1 << 20,
		Pause: time.Millisecond, Stall: 10 * time.Second, Note: func(text string) { notes = append(notes, text) }}
	for _, c := range change {
		c(&r)
	}
	res, err := Fetch(context.Background(), r)
	return res, notes, err
}

// known sets the sum that the file must have.
func known(data []byte) func(*Request) { return func(r *Request) { r.SHA256 = sum(data) } }

// left lists the files below a directory.
func left(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(filepath.Join(dir, "sub"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// holds checks that dir holds the file alone, with the given content.
func holds(t *testing.T, dir string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(filepath.Join(dir, "sub", "f.tar.gz"))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, want %d as served (%v)", len(got), len(want), err)
	}
	if l := left(t, dir); l != "f.tar.gz" {
		t.Errorf("left: %s", l)
	}
}

func TestDownloadsEndWithTheWholeFile(t *testing.T) {
	data, other := content(1, 100_000), content(2, 90_000)
	const tag, next = `"one"`, `"two"`
	dated := func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "f", time.Unix(1_600_000_000, 0), bytes.NewReader(data))
	}
	weak := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `W/"one"`)
		untagged(data)(w, r)
	}
	for name, c := range map[string]struct {
		answers []http.HandlerFunc
		want    []byte
		asked   string // Range and If-Range of the requests
		resumed int64
		sum     bool // the sum is known
	}{
		"at once":       {[]http.HandlerFunc{file(tag, data)}, data, " ", 0, false},
		"with its sum":  {[]http.HandlerFunc{file(tag, data)}, data, " ", 0, true},
		"no length":     {[]http.HandlerFunc{endless(50_000)}, make([]byte, 50_000), " ", 0, false},
		"broken off":    {[]http.HandlerFunc{breaking(30_000, file(tag, data)), file(tag, data)}, data, ` |bytes=30000- "one"`, 30_000, false},
		"broken thrice": {[]http.HandlerFunc{breaking(10, file(tag, data)), breaking(20, file(tag, data)), breaking(30, file(tag, data)), file(tag, data)}, data, ` |bytes=10- "one"|bytes=30- "one"|bytes=60- "one"`, 60, false},
		"broken before anything": {[]http.HandlerFunc{breaking(0, untagged(data)), file(tag, data)}, data,
			" | ", 0, false},
		"by its date": {[]http.HandlerFunc{breaking(500, dated), dated}, data, " |bytes=500- Sun, 13 Sep 2020 12:26:40 GMT", 500, false},
		"changed in between": {[]http.HandlerFunc{breaking(30_000, file(tag, data)), file(next, other)}, other,
			` |bytes=30000- "one"`, 0, false},
		"ranges ignored": {[]http.HandlerFunc{breaking(30_000, file(tag, data)), untagged(data)}, data, ` |bytes=30000- "one"`, 0, false},
		"no version to go on with": {[]http.HandlerFunc{breaking(30_000, untagged(data)), untagged(data)}, data,
			" | ", 0, false},
		"a weak tag is none":    {[]http.HandlerFunc{breaking(30_000, weak), weak}, data, " | ", 0, false},
		"no version, but a sum": {[]http.HandlerFunc{breaking(30_000, untagged(data)), file(tag, data)}, data, " |bytes=30000- ", 30_000, true},
		"server errors":         {[]http.HandlerFunc{status(500), status(503), status(429), file(tag, data)}, data, " | | | ", 0, false},
		"an error in between":   {[]http.HandlerFunc{breaking(10, file(tag, data)), status(502), file(tag, data)}, data, ` |bytes=10- "one"|bytes=10- "one"`, 10, false},
		"parts of two versions": {[]http.HandlerFunc{breaking(500, untagged(other)), file(tag, data), file(tag, data)}, data, " |bytes=500- | ", 0, true},
		"If-Range ignored": {[]http.HandlerFunc{breaking(500, file(tag, data)), func(w http.ResponseWriter, r *http.Request) {
			r.Header.Del("If-Range")
			file(next, other)(w, r)
		}, file(next, other)}, other, ` |bytes=500- "one"| `, 0, false},
		"another length": {[]http.HandlerFunc{breaking(500, file(tag, data)), func(w http.ResponseWriter, r *http.Request) {
			r.Header.Del("If-Range")
			http.ServeContent(w, r, "f", time.Time{}, bytes.NewReader(other))
		}, file(next, other)}, other, ` |bytes=500- "one"| `, 0, false},
		"another range": {[]http.HandlerFunc{breaking(500, file(tag, data)), status(206, "Content-Range", "bytes 0-99999/100000", "ETag", tag), file(tag, data)}, data,
			` |bytes=500- "one"| `, 0, false},
		"shorter now": {[]http.HandlerFunc{breaking(500, file(tag, data)), status(416, "Content-Range", "bytes */300"), file(next, other)}, other,
			` |bytes=500- "one"| `, 0, false},
		"redirected": {[]http.HandlerFunc{func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) }, file(tag, data)}, data,
			" | ", 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := serve(t, c.answers...)
			res, notes, err := get(s, dir, func(r *Request) {
				if c.sum {
					r.SHA256 = sum(c.want)
				}
			})
			if err != nil {
				t.Fatalf("%v after %q", err, notes)
			}
			holds(t, dir, c.want)
			if res.SHA256 != sum(c.want) || res.Bytes != int64(len(c.want)) || res.Resumed != c.resumed || res.Existing {
				t.Errorf("result %+v, want %d resumed", res, c.resumed)
			}
			if got := s.asked(); got != c.asked {
				t.Errorf("asked for %q, want %q", got, c.asked)
			}
		})
	}
}

func TestAnExistingFileIsKept(t *testing.T) {
	data := content(1, 1000)
	s := serve(t, file(`"one"`, data))
	dir := t.TempDir()
	if _, _, err := get(s, dir); err != nil {
		t.Fatal(err)
	}
	res, _, err := get(s, dir, known(data))
	if err != nil || !res.Existing || res.SHA256 != sum(data) || res.Bytes != 1000 || len(s.requests) != 1 {
		t.Errorf("%+v, %v after %d requests", res, err, len(s.requests))
	}
	if _, _, err := get(s, dir, known(nil)); err == nil || !strings.Contains(err.Error(), "remove it") {
		t.Errorf("of another sum: %v", err)
	}
	bad := errors.New("not an archive")
	if _, _, err := get(s, dir, func(r *Request) { r.Check = func(string) error { return bad } }); !errors.Is(err, bad) || !strings.Contains(err.Error(), "remove it") {
		t.Errorf("no good: %v", err)
	}
	holds(t, dir, data)
}

func TestHTTPSIsNotLeft(t *testing.T) {
	plain := serve(t, file(`"one"`, content(1, 10)))
	secure := httptest.NewTLSServer(http.RedirectHandler(plain.URL, http.StatusFound))
	defer secure.Close()
	client := defaultClient()
	client.Transport = secure.Client().Transport
	_, err := Fetch(context.Background(), Request{URL: secure.URL, Path: filepath.Join(t.TempDir(), "f"), Limit: 100, Client: client})
	if err == nil || !strings.Contains(err.Error(), "redirection refused: from https://") || len(plain.requests) != 0 {
		t.Errorf("%v after %d requests", err, len(plain.requests))
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
