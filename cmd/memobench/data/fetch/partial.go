package fetch

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strings"

	"memobench/models/checkpoint"
)

const (
	partialSuffix = ".partial"
	versionSuffix = ".json"
)

// partial is the part of a file that has come, and beside it the version that it
// is of.
type partial struct{ path string }

// version names what a server sent.
type version struct {
	URL      string `json:"url"`
	ETag     string `json:"etag,omitempty"`
	Modified string `json:"last_modified,omitempty"`
	Total    int64  `json:"total,omitempty"` // bytes; 0 where the server did not say
}

func versionOf(url string, resp *http.Response) version {
	return version{URL: url, ETag: resp.Header.Get("ETag"), Modified: resp.Header.Get("Last-Modified"), Total: max(resp.ContentLength, 0)}
}

// ifRange returns what names the version in If-Range: a strong entity tag, or
// the date, RFC 9110, section 13.1.5. It is empty where there is neither.
func (v version) ifRange() string {
	if v.ETag != "" && !strings.HasPrefix(v.ETag, "W/") {
		return v.ETag
	}
	return v.Modified
}

// Kept returns the number of bytes that are kept of a download to path that was
// broken off, and where.
func Kept(path string) (bytes int64, where string) {
	p := partial{path + partialSuffix}
	n, _ := p.size()
	return n, p.path
}

// size returns the number of bytes, 0 where there is no file.
func (p partial) size() (int64, error) {
	info, err := os.Stat(p.path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// version returns what the bytes are of, if that is known.
func (p partial) version() (v version, ok bool) {
	data, err := os.ReadFile(p.path + versionSuffix)
	return v, err == nil && json.Unmarshal(data, &v) == nil
}

// begin empties the file and says of which version it will be. At no time does
// it say so of other bytes.
func (p partial) begin(v version) error {
	if err := p.discard(); err != nil {
		return err
	}
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if err := checkpoint.WriteFile(p.path+versionSuffix, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}); err != nil {
		return err
	}
	f, err := os.Create(p.path)
	if err != nil {
		return err
	}
	return f.Close()
}

// discard removes both files.
func (p partial) discard() error {
	for _, path := range []string{p.path + versionSuffix, p.path} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// finish gives the file its name.
func (p partial) finish(path string) error {
	if err := os.Rename(p.path, path); err != nil {
		return err
	}
	return p.discard()
}

// sumOf returns the SHA-256 of a file, hexadecimal, and its size.
func sumOf(path string) (string, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, f)
	if err != nil {
		return "", 0, err
	}
	return hex.EncodeToString(sum.Sum(nil)), n, nil
}
