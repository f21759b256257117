// Package binfile reads regular files, up to a size limit: their bytes or, of files that people edit,
// their text (UTF-8, with or without a byte order mark, with any line ends). A path to a device or a
// pipe is an error and does not block.
package binfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
)

// OpenRegular opens a regular file, or a link to one, for reading, and returns its size.
func OpenRegular(path string) (*os.File, int64, error) {
	info, err := os.Stat(path) // before os.Open, which blocks on a pipe
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%s is %s, want a regular file", path, kindOf(info))
	}
	f, err := os.Open(path)
	return f, info.Size(), err
}

// ReadFile reads a regular file of at most limit bytes.
func ReadFile(path string, limit int64) ([]byte, error) {
	f, size, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var data []byte
	if size <= limit {
		data, err = io.ReadAll(io.LimitReader(f, limit+1)) // the file may grow
	}
	if err == nil && max(size, int64(len(data))) > limit {
		err = fmt.Errorf("%s is larger than %s, the most that is read of such a file", path, amount(limit))
	}
	return data, err
}

func kindOf(info os.FileInfo) string {
	switch mode := info.Mode(); {
	case mode.IsDir():
		return "a directory"
	case mode&os.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&os.ModeDevice != 0:
		return "a device"
	}
	return "a special file"
}

func amount(bytes int64) string {
	switch {
	case bytes >= 1<<20:
		return fmt.Sprintf("%d MiB", bytes>>20)
	case bytes >= 1<<10:
		return fmt.Sprintf("%d KiB", bytes>>10)
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// ReadText reads the text of a regular file of at most limit bytes. Errors name the file.
func ReadText(path string, limit int64) (string, error) {
	data, err := ReadFile(path, limit)
	if err != nil {
		return "", err
	}
	s, err := Text(data)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// Text returns the text of a file's bytes without a byte order mark and with Unix line ends. An
// error names the line of the first byte that is not UTF-8 text.
func Text(data []byte) (string, error) {
	data, err := WithoutMark(data)
	if err != nil {
		return "", err
	}
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	for at := 0; at < len(data); {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size <= 1 || r == 0 {
			return "", fmt.Errorf("line %d: wrong encoding: not valid UTF-8 text", 1+bytes.Count(data[:at], []byte("\n")))
		}
		at += size
	}
	return string(data), nil
}

// CreateTemp makes a new file in dir whose name is the prefix and a number. Unlike those of
// os.CreateTemp, its permissions are those that the user's umask leaves.
func CreateTemp(dir, prefix string) (*os.File, error) {
	return os.OpenFile(filepath.Join(dir, fmt.Sprint(prefix, rand.Uint64())), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
}

// WithoutMark returns data without a byte order mark. That of UTF-16 is an error.
func WithoutMark(data []byte) ([]byte, error) {
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		return nil, errors.New("wrong encoding: the file is UTF-16, want UTF-8")
	}
	return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), nil
}

// YAML decodes the text of a file, one document of YAML, strictly into what v points to.
func YAML(data []byte, v any) error {
	s, err := Text(data)
	if err != nil {
		return err
	}
	d := yaml.NewDecoder(strings.NewReader(s), yaml.Strict())
	if err := d.Decode(v); err != nil && err != io.EOF { // of an empty file
		return err
	}
	var second any
	if err := d.Decode(&second); err != io.EOF && (err != nil || second != nil) {
		return errors.New("a second document (after ---): want one in a file")
	}
	return nil
}
