// Package text reads the text files that people edit: UTF-8, with or without a byte order mark, with
// any line ends.
package text

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"memobench/datasets/binfile"
)

// ReadFile reads a regular file of at most limit bytes. Errors name the file.
func ReadFile(path string, limit int64) (string, error) {
	data, err := binfile.ReadFile(path, limit)
	if err != nil {
		return "", err
	}
	s, err := Decode(data)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// Decode returns the text of a file's bytes without a byte order mark and with Unix line ends. An
// error names the line of the first byte that is not UTF-8 text.
func Decode(data []byte) (string, error) {
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		return "", fmt.Errorf("wrong encoding: the file is UTF-16, want UTF-8")
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
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
