package record

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Limits on what is read of a file, in bytes: a hundred times what long runs write.
const (
	MaxSize     = 16 << 20  // of a record
	MaxTextSize = 256 << 20 // of a learning curve, a trace or a text of benchmarks
)

// ReadRegular reads a file of at most limit bytes. Anything but a regular file, such
// as a pipe or a device, of which reading might never end, is an error and is not
// opened.
func ReadRegular(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if mode := info.Mode(); !mode.IsRegular() {
		return nil, fmt.Errorf("%s is %s, want a regular file", path, kindOf(mode))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("%s is larger than %d MiB, the most that is read of such a file", path, limit>>20)
	}
	return data, err
}

func kindOf(mode fs.FileMode) string {
	for _, kind := range []struct {
		bit  fs.FileMode
		name string
	}{{fs.ModeDir, "a directory"}, {fs.ModeNamedPipe, "a named pipe"}, {fs.ModeSocket, "a socket"}, {fs.ModeDevice, "a device"}} {
		if mode&kind.bit != 0 {
			return kind.name
		}
	}
	return "no file"
}
