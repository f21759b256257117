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
)

// Download is a file to fetch over HTTP or HTTPS.
type Download struct {
	URL    string
	Path   string // where the file goes; its directory is made
	SHA256 string // lower-case hexadecimal; empty where it is not known

	Check func(path string) error // looks at the whole file before it gets its name
}

// maxDownload is far above the 16 MB of the official bAbI archive.
const maxDownload = 256 << 20

// Fetched describes a downloaded file.
type Fetched struct {
	Bytes    int64
	SHA256   string
	Existing bool // the file existed, and no request was sent
}

// Fetch downloads the file, unless it exists and passes the checks. The file is written
// atomically: a download that fails or is interrupted leaves nothing. tick gets numbers of
// bytes; a total of 0 is unknown.
func Fetch(ctx context.Context, d Download, tick Tick) (_ *Fetched, err error) {
	if err := CheckURL(d.URL); err != nil {
		return nil, err
	}
	if old, err := os.Open(d.Path); err == nil {
		defer old.Close()
		got, err := d.copy(io.Discard, old)
		if err != nil {
			return nil, fmt.Errorf("%s exists: %w; remove it to download it again", d.Path, err)
		}
		got.Existing = true
		if err := d.Check(d.Path); err != nil {
			return nil, fmt.Errorf("%s exists: %w; remove it to download it again", d.Path, err)
		}
		return got, nil
	}
	if err := os.MkdirAll(filepath.Dir(d.Path), 0o777); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(filepath.Dir(d.Path), ".fetching-*")
	if err != nil {
		return nil, err
	}
	defer func() {
		f.Close() // closing twice only returns an error
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.URL, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "memobench")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err // it names the address, without a password
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: status %s", req.URL.Redacted(), resp.Status)
	}
	body := &ticking{Reader: resp.Body, name: filepath.Base(d.Path), total: max(resp.ContentLength, 0), tick: tick}
	got, err := d.copy(f, body)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", req.URL.Redacted(), err)
	}
	if err := errors.Join(f.Chmod(0o644), f.Sync(), f.Close()); err != nil {
		return nil, err
	}
	if err := d.Check(f.Name()); err != nil {
		return nil, fmt.Errorf("%s: %w", req.URL.Redacted(), err)
	}
	return got, os.Rename(f.Name(), d.Path)
}

// copy copies the file and compares its SHA-256.
func (d *Download) copy(to io.Writer, from io.Reader) (*Fetched, error) {
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(to, sum), io.LimitReader(from, maxDownload+1))
	got := &Fetched{Bytes: n, SHA256: hex.EncodeToString(sum.Sum(nil))}
	switch {
	case err != nil:
		return nil, fmt.Errorf("failed after %d bytes: %w", n, err)
	case n > maxDownload:
		return nil, fmt.Errorf("the file has more than %d bytes", maxDownload)
	case d.SHA256 != "" && got.SHA256 != d.SHA256:
		return nil, fmt.Errorf("the file has SHA-256 %s, want %s", got.SHA256, d.SHA256)
	}
	return got, nil
}

// ticking is a reader that reports its progress.
type ticking struct {
	io.Reader
	name        string
	done, total int64
	tick        Tick
}

func (t *ticking) Read(p []byte) (int, error) {
	n, err := t.Reader.Read(p)
	t.done += int64(n)
	t.tick.show(t.name, int(t.done), int(t.total))
	return n, err
}

// CheckURL returns an error if a URL cannot be fetched.
func CheckURL(text string) error {
	u, err := url.Parse(text)
	var outer *url.Error
	switch {
	case errors.As(err, &outer):
		return outer.Err
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("scheme %q, want http or https", u.Scheme)
	case u.Host == "":
		return errors.New("no host")
	}
	return nil
}
