package fetch

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

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
