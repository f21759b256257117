package checkpoint

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"

	"memobench/datasets/binfile"
)

// tempPrefix begins the names of files that are being written; digits follow.
const tempPrefix = ".writing-"

var tempForm = regexp.MustCompile(`^\.writing-[0-9]+$`)

// RemoveTemp removes the temporary files of killed processes from dir. No other process may
// write there.
func RemoveTemp(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if tempForm.MatchString(e.Name()) && e.Type().IsRegular() {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

// WriteBytes writes data as WriteFile does.
func WriteBytes(path string, data []byte) error {
	return WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// WriteFile writes a file atomically and durably: write fills a temporary file in the same
// directory, which is synced and renamed to path.
func WriteFile(path string, write func(io.Writer) error) error {
	temp, err := writeTemp(filepath.Dir(path), write)
	if err == nil {
		err = rename(temp, path)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}

// writeTemp writes and syncs a new temporary file in dir, or removes it on an error.
func writeTemp(dir string, write func(io.Writer) error) (name string, err error) {
	f, err := binfile.CreateTemp(dir, tempPrefix)
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			f.Close() // a second close only returns an error
			os.Remove(f.Name())
		}
	}()
	buffered := bufio.NewWriterSize(f, 1<<16)
	if err := write(buffered); err != nil {
		return "", err
	}
	if err := buffered.Flush(); err != nil {
		return "", err
	}
	if err := f.Sync(); err != nil {
		return "", err
	}
	return f.Name(), f.Close()
}

// rename renames a temporary file durably.
func rename(temp, path string) error {
	if err := os.Rename(temp, path); err != nil {
		os.Remove(temp)
		return err
	}
	return syncDir(filepath.Dir(path))
}

// syncDir makes renames in dir durable, if the system supports it.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" { // directories cannot be synced there
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
