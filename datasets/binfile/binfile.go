// Package binfile opens and reads regular files, up to a size limit. A path to a device or a pipe is an
// error and does not block.
package binfile

import (
	"fmt"
	"io"
	"os"
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
