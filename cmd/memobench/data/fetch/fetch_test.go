package fetch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// content returns n bytes that no other seed gives.
func content(seed uint64, n int) []byte {
	rng := rand.New(rand.NewPCG(seed, 1))
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(rng.Uint32())
	}
	return data
}

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

// server answers the i-th request with the i-th of its answers, and all that
// follow with the last.
type server struct {
	*httptest.Server
	mu       sync.Mutex
	answers  []http.HandlerFunc
	requests []*http.Request
}

func serve(t *testing.T, answers ...http.HandlerFunc) *server {
	t.Helper()
	s := &server{answers: answers}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		i := min(len(s.requests), len(s.answers)-1)
		s.requests = append(s.requests, r.Clone(context.Background()))
		s.mu.Unlock()
		s.answers[i](w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// asked returns the Range and If-Range of each request.
func (s *server) asked() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []string
	for _, r := range s.requests {
		list = append(list, fmt.Sprintf("%s %s", r.Header.Get("Range"), r.Header.Get("If-Range")))
	}
	return strings.Join(list, "|")
}

// file serves a version of a file as a good server does: with its tag, with
// ranges, and If-Range.
func file(tag string, data []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", tag)
		http.ServeContent(w, r, "f.tar.gz", time.Time{}, bytes.NewReader(data))
	}
}

// breaking serves n bytes of what it would and then cuts the connection.
func breaking(n int, h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { h(&cut{w, n}, r) }
}

// cut is a ResponseWriter that breaks off.
type cut struct {
	http.ResponseWriter
	left int
}

func (c *cut) Write(p []byte) (int, error) {
	n, _ := c.ResponseWriter.Write(p[:min(len(p), c.left)])
	if c.left -= n; c.left == 0 {
		http.NewResponseController(c.ResponseWriter).Flush()
		panic(http.ErrAbortHandler)
	}
	return n, nil
}

func status(code int, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
	}
}

// untagged is the file of a server that knows neither versions nor ranges.
func untagged(data []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(data)))
		w.Write(data)
	}
}

// endless says no length and sends n bytes.
func endless(n int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		block := make([]byte, 1000)
		for range n / len(block) {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	}
}

// hanging sends n bytes and then nothing.
func hanging(n int, h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { h(&stuck{w, n, r.Context()}, r) }
}

type stuck struct {
	http.ResponseWriter
	left int
	ctx  context.Context
}

func (s *stuck) Write(p []byte) (int, error) {
	n, _ := s.ResponseWriter.Write(p[:min(len(p), s.left)])
	if s.left -= n; s.left > 0 {
		return n, nil
	}
	http.NewResponseController(s.ResponseWriter).Flush()
	<-s.ctx.Done()
	return n, s.ctx.Err()
}

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

func TestFailuresLeaveNoFile(t *testing.T) {
	data := content(1, 100_000)
	for name, c := range map[string]struct {
		answers  []http.HandlerFunc
		want     string
		requests int
		left     string
	}{
		"not found":        {[]http.HandlerFunc{status(404)}, "status 404 Not Found", 1, ""},
		"gone":             {[]http.HandlerFunc{status(410)}, "status 410 Gone", 1, ""},
		"no content":       {[]http.HandlerFunc{status(204)}, "status 204 No Content", 1, ""},
		"nothing but 500":  {[]http.HandlerFunc{status(500)}, "status 500 Internal Server Error, after 4 attempts", 4, ""},
		"an unasked range": {[]http.HandlerFunc{status(206, "Content-Range", "bytes 5-9/10")}, "asked for bytes from 0 on", 1, ""},
		"no such range":    {[]http.HandlerFunc{status(416)}, "status 416", 1, ""},
		"too long":         {[]http.HandlerFunc{untagged(make([]byte, 1<<20+1))}, "sends more than 1048576 bytes", 1, ""},
		"endless":          {[]http.HandlerFunc{endless(2 << 20)}, "sends more than 1048576 bytes", 1, ""},
		"more than said": {[]http.HandlerFunc{breaking(500, file(`"one"`, data)), func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Range", "bytes 500-99999/100000") // and no length
			w.WriteHeader(206)
			w.Write(make([]byte, 200_000))
		}}, "sends more than the 100000 bytes that it said", 2, ""},
		"never more than half": {[]http.HandlerFunc{breaking(50_000, untagged(data))}, "broken off at byte 50000 of 100000: unexpected EOF, after 4 attempts", 4,
			"f.tar.gz.partial f.tar.gz.partial.json"},
		"in circles": {[]http.HandlerFunc{func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/again", http.StatusFound) }},
			"redirection refused: more than 10", 11, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := serve(t, c.answers...)
			_, notes, err := get(s, dir)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), s.URL) {
				t.Errorf("%v, want ...%s...", err, c.want)
			}
			if l := left(t, dir); l != c.left {
				t.Errorf("left: %q, want %q", l, c.left)
			}
			if len(s.requests) != c.requests {
				t.Errorf("%d requests, want %d; notes %q", len(s.requests), c.requests, notes)
			}
		})
	}
}

func TestTheWrongFileIsRemoved(t *testing.T) {
	data := content(1, 1000)
	s := serve(t, file(`"one"`, data))
	dir := t.TempDir()
	_, _, err := get(s, dir, known(content(2, 1000)))
	if err == nil || !strings.Contains(err.Error(), sum(data)) || !strings.Contains(err.Error(), sum(content(2, 1000))) {
		t.Errorf("another sum: %v", err)
	}
	if l := left(t, dir); l != "" {
		t.Errorf("left: %s", l)
	}
	bad := errors.New("not an archive")
	if _, _, err := get(s, dir, func(r *Request) { r.Check = func(string) error { return bad } }); !errors.Is(err, bad) {
		t.Errorf("a check that fails: %v", err)
	}
	if l := left(t, dir); l != "" || len(s.requests) != 2 {
		t.Errorf("left: %s after %d requests", l, len(s.requests))
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

// A download that a context ends goes on with the next call.
func TestAnInterruptedDownloadGoesOn(t *testing.T) {
	data := content(1, 300_000)
	s := serve(t, hanging(200_000, file(`"one"`, data)), file(`"one"`, data))
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	r := Request{URL: s.URL, Path: filepath.Join(dir, "sub", "f.tar.gz"), Limit: 1 << 20, Progress: func(done, total int64) {
		if total != 300_000 {
			t.Errorf("total %d", total)
		}
		if done == 200_000 {
			cancel()
		}
	}}
	if _, err := Fetch(ctx, r); !errors.Is(err, context.Canceled) {
		t.Fatalf("cancelled: %v", err)
	}
	n, where := Kept(r.Path)
	if n != 200_000 || where != r.Path+".partial" || left(t, dir) != "f.tar.gz.partial f.tar.gz.partial.json" {
		t.Errorf("%d bytes kept in %s; left: %s", n, where, left(t, dir))
	}
	first := int64(-1)
	r.Progress = func(done, total int64) {
		if first < 0 {
			first = done
		}
	}
	res, err := Fetch(context.Background(), r)
	if err != nil || res.Resumed != 200_000 || first != 200_000 {
		t.Errorf("%+v, progress from %d, %v", res, first, err)
	}
	holds(t, dir, data)
}

// What is left of a URL is not gone on with from another one, nor are bytes of
// which nobody knows what they are.
func TestLeftoversOfOtherDownloadsAreDropped(t *testing.T) {
	data := content(1, 1000)
	for name, prepare := range map[string]func(t *testing.T, path string, s *server){
		"no version": func(t *testing.T, path string, s *server) { os.Remove(path + ".json") },
		"no JSON":    func(t *testing.T, path string, s *server) { os.WriteFile(path+".json", []byte("{"), 0o644) },
		"another URL": func(t *testing.T, path string, s *server) {
			os.WriteFile(path+".json", []byte(`{"url":"http://example.test/","etag":"\"one\"","total":1000}`), 0o644)
		},
		"longer than said": func(t *testing.T, path string, s *server) {
			os.WriteFile(path+".json", []byte(`{"url":"`+s.URL+`/f.tar.gz","etag":"\"one\"","total":100}`), 0o644)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := serve(t, file(`"one"`, data))
			path := filepath.Join(dir, "sub", "f.tar.gz.partial")
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, make([]byte, 400), 0o644); err != nil {
				t.Fatal(err)
			}
			prepare(t, path, s)
			if _, _, err := get(s, dir); err != nil {
				t.Fatal(err)
			}
			holds(t, dir, data)
			if s.asked() != " " {
				t.Errorf("asked for %q", s.asked())
			}
		})
	}
	t.Run("whole but for its name", func(t *testing.T) {
		dir := t.TempDir()
		s := serve(t, status(500))
		path := filepath.Join(dir, "sub", "f.tar.gz.partial")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		for p, text := range map[string]string{path: string(data), path + ".json": `{"url":"` + s.URL + `/f.tar.gz","etag":"\"one\"","total":1000}`} {
			if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if res, _, err := get(s, dir); err != nil || res.Resumed != 1000 || len(s.requests) != 0 {
			t.Errorf("%+v, %v after %d requests", res, err, len(s.requests))
		}
		holds(t, dir, data)
	})
}

func TestAStalledConnectionIsGivenUp(t *testing.T) {
	data := content(1, 1000)
	s := serve(t, hanging(400, file(`"one"`, data)), file(`"one"`, data))
	dir := t.TempDir()
	res, notes, err := get(s, dir, func(r *Request) { r.Stall = 50 * time.Millisecond })
	if err != nil || res.Resumed != 400 || len(notes) != 1 || !strings.Contains(notes[0], "broken off at byte 400 of 1000: nothing came for 50ms") {
		t.Errorf("%+v, %v, notes %q", res, err, notes)
	}
	holds(t, dir, data)
}

func TestTheServersWaitIsFollowed(t *testing.T) {
	data := content(1, 10)
	s := serve(t, status(503, "Retry-After", "1"), file(`"one"`, data))
	start := time.Now()
	_, notes, err := get(s, t.TempDir())
	if err != nil || time.Since(start) < time.Second || len(notes) != 1 || !strings.Contains(notes[0], "next attempt in 1s") {
		t.Errorf("%v after %v, notes %q", err, time.Since(start), notes)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	s = serve(t, status(503, "Retry-After", "99999999999"))
	if _, err := Fetch(ctx, Request{URL: s.URL, Path: filepath.Join(t.TempDir(), "f"), Limit: 10}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("while it waits: %v", err)
	}
}

func TestNoServerIsAnError(t *testing.T) {
	s := serve(t, status(200))
	s.Close()
	if _, _, err := get(s, t.TempDir()); err == nil || !strings.Contains(err.Error(), "after 4 attempts") {
		t.Errorf("nobody listens: %v", err)
	}
	start := time.Now()
	_, err := Fetch(context.Background(), Request{URL: "http://user:secret@no-such-host.invalid/x", Path: filepath.Join(t.TempDir(), "f"), Limit: 10})
	if err == nil || strings.Contains(err.Error(), "secret") || !strings.HasPrefix(err.Error(), "http://user:xxxxx@no-such-host.invalid/x: ") || time.Since(start) > 20*time.Second {
		t.Errorf("no such host: %v", err)
	}
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
