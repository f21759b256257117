package export

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

	"memobench/datasets"
	"memobench/datasets/binfile"
)

// maxDownload is far above the 16 MB of the official bAbI archive.
const maxDownload = 256 << 20

// timeout is the longest time that a download may take. A test changes it.
var timeout = 20 * time.Minute

// Fetched describes a downloaded file.
type Fetched struct {
	Bytes    int64
	SHA256   string
	Files    int  // of data in it
	Existing bool // the file existed, and no request was sent
}

// Fetch downloads the file to a path, whose directory it makes, unless it exists and passes the checks: of its
// SHA-256, where that is known, and d.Check. A download that fails or is interrupted leaves nothing. tick gets
// numbers of bytes.
func Fetch(ctx context.Context, d datasets.Download, path string, tick Tick) (got *Fetched, err error) {
	if err := CheckURL(d.URL); err != nil {
		return nil, err
	}
	if old, err := os.Open(path); err == nil {
		defer old.Close()
		got, err := copyFile(io.Discard, old, d.SHA256, nil)
		if err == nil {
			got.Existing = true
			got.Files, err = d.Check(path)
		}
		if err != nil {
			return nil, fmt.Errorf("%s exists: %w; remove it to download it again", path, err)
		}
		return got, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	f, err := binfile.CreateTemp(filepath.Dir(path), ".fetching-")
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name()) // after the rename there is nothing
	defer f.Close()           // closing twice only returns an error
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.URL, nil)
	if err != nil {
		return nil, err
	}
	resp, err := (&http.Client{Timeout: timeout}).Do(req)
	if err != nil {
		return nil, err // it names the address, without a password
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: status %s", req.URL.Redacted(), resp.Status)
	}
	got, err = copyFile(f, resp.Body, d.SHA256, func(done int64) {
		if tick != nil {
			tick(filepath.Base(path), done, max(resp.ContentLength, 0))
		}
	})
	if err == nil {
		err = errors.Join(f.Sync(), f.Close())
	}
	if err == nil {
		got.Files, err = d.Check(f.Name())
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", req.URL.Redacted(), err)
	}
	return got, os.Rename(f.Name(), path)
}

// copyFile copies a file, calls progress for each block, and compares the SHA-256 with want, if given.
func copyFile(to io.Writer, from io.Reader, want string, progress func(done int64)) (*Fetched, error) {
	sum, got := sha256.New(), new(Fetched)
	out := io.MultiWriter(to, sum)
	for {
		n, err := io.CopyN(out, from, 1<<16)
		if got.Bytes += n; progress != nil {
			progress(got.Bytes)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("failed after %d bytes: %w", got.Bytes, err)
		}
		if got.Bytes > maxDownload {
			return nil, fmt.Errorf("the file has more than %d bytes", maxDownload)
		}
	}
	got.SHA256 = hex.EncodeToString(sum.Sum(nil))
	if want != "" && got.SHA256 != want {
		return nil, fmt.Errorf("the file has SHA-256 %s, want %s", got.SHA256, want)
	}
	return got, nil
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
