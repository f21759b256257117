package fetch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

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
