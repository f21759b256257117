package fetch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
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
