package data

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"
)

// Download says what to fetch over HTTP or HTTPS.
type Download struct {
	URL    string
	Path   string // where the file goes; its directory is made
	SHA256 string // lower-case hexadecimal; empty where it is not known
	Limit  int64  // bytes that the file may have at most

	Check    func(path string) error // looks at the whole file before it gets its name
	Progress Tick                    // may be nil; a total of 0 is unknown

	Client *http.Client  // nil for one that refuses redirections from HTTPS to HTTP
	Stall  time.Duration // time without data after which the download fails; 0 for 30 seconds
}

// Fetched describes a downloaded file.
type Fetched struct {
	Bytes    int64
	SHA256   string
	Existing bool // the file was there already, and no request was sent
}

// Fetch downloads the file, unless it is there and passes the checks. Path holds
// the whole file or nothing: a download that fails or is interrupted leaves
// nothing.
func Fetch(ctx context.Context, d Download) (*Fetched, error) {
	u, err := parseURL(d.URL)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(d.Path); err == nil {
		return d.existing()
	}
	if err := os.MkdirAll(filepath.Dir(d.Path), 0o777); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(filepath.Dir(d.Path), ".fetching-*")
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name()) // fails after the file has got its name
	defer f.Close()           // closing twice only returns an error
	got, err := d.receive(ctx, f)
	if err == nil {
		err = errors.Join(f.Chmod(0o644), f.Sync(), f.Close())
	}
	if err == nil {
		err = d.verify(f.Name(), got)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", u.Redacted(), err)
	}
	return got, os.Rename(f.Name(), d.Path)
}

// existing checks the file that is there.
func (d *Download) existing() (*Fetched, error) {
	sum, n, err := hashFile(d.Path, nil)
	if err != nil {
		return nil, err
	}
	got := &Fetched{Bytes: n, SHA256: sum, Existing: true}
	if err := d.verify(d.Path, got); err != nil {
		return nil, fmt.Errorf("%s exists: %w; remove it to download it again", d.Path, err)
	}
	return got, nil
}

// verify checks the whole file at path.
func (d *Download) verify(path string, got *Fetched) error {
	if d.SHA256 != "" && got.SHA256 != d.SHA256 {
		return fmt.Errorf("the file has SHA-256 %s, want %s", got.SHA256, d.SHA256)
	}
	return d.Check(path)
}

// receive writes the file that the server sends to out.
func (d *Download) receive(ctx context.Context, out io.Writer) (*Fetched, error) {
	stall := d.Stall
	if stall == 0 {
		stall = 30 * time.Second
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	guard := time.AfterFunc(stall, func() { stop(fmt.Errorf("no data for %v", stall)) })
	defer guard.Stop()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.URL, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "memobench")
	req.Header.Set("Accept-Encoding", "identity") // the file as it is stored
	client := d.Client
	if client == nil {
		client = &http.Client{CheckRedirect: checkRedirect}
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, cause(ctx, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %s", resp.Status)
	}
	sum, done := sha256.New(), int64(0)
	n, err := io.Copy(watched{io.MultiWriter(out, sum), func(n int) error {
		guard.Reset(stall)
		done += int64(n)
		if d.Progress != nil {
			d.Progress(filepath.Base(d.Path), done, max(resp.ContentLength, 0))
		}
		if done > d.Limit {
			return fmt.Errorf("the server sends more than %d bytes", d.Limit)
		}
		return nil
	}}, resp.Body)
	if err != nil {
		return nil, fmt.Errorf("failed after %d bytes: %w", n, cause(ctx, err))
	}
	return &Fetched{Bytes: n, SHA256: hex.EncodeToString(sum.Sum(nil))}, nil
}

// cause returns why a request failed: why its context ended, or the error
// without method and URL, which package net/url puts before it.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var outer *url.Error
	if errors.As(err, &outer) {
		return outer.Err
	}
	return err
}

const maxRedirects = 10

func checkRedirect(req *http.Request, via []*http.Request) error {
	switch last := via[len(via)-1].URL; {
	case len(via) > maxRedirects:
		return fmt.Errorf("redirection refused: more than %d", maxRedirects)
	case req.URL.Scheme != "https" && last.Scheme == "https":
		return fmt.Errorf("redirection refused: from %s to %s", last.Redacted(), req.URL.Redacted())
	}
	return nil
}

// parseURL parses a URL to fetch from.
func parseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	var outer *url.Error
	switch {
	case errors.As(err, &outer):
		return nil, outer.Err
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("scheme %q, want http or https", u.Scheme)
	case u.Host == "":
		return nil, errors.New("no host")
	}
	return u, nil
}

// CheckURL reports why a URL cannot be fetched from.
func CheckURL(text string) error {
	_, err := parseURL(text)
	return err
}
