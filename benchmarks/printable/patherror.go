package printable

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"memobench/benchmarks/suggest"
)

// Error returns the text of err. Where it has the words of the system about a path that cannot be
// used, it says instead what was found, and what has a similar name.
func Error(err error) string {
	text := err.Error()
	for _, e := range pathErrors(err) {
		if found := describe(e); found != "" {
			text = strings.Replace(text, e.Error(), found, 1)
		}
	}
	return text
}

// pathErrors lists the errors of paths that err wraps.
func pathErrors(err error) (list []*fs.PathError) {
	switch e := err.(type) {
	case *fs.PathError:
		list = append(list, e)
	case interface{ Unwrap() error }:
		list = pathErrors(e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, err := range e.Unwrap() {
			list = append(list, pathErrors(err)...)
		}
	}
	return list
}

// describe says what is wrong with a path; "" where the words of the system are as good.
func describe(e *fs.PathError) string {
	if !slices.Contains([]string{"open", "stat", "lstat", "mkdir", "read"}, e.Op) { // others have no whole path
		return ""
	}
	path := cmp.Or(strings.TrimSuffix(e.Path, string(filepath.Separator)), e.Path)
	at, text := path, path // at is the path, or the nearest directory above it that is found
	for at != filepath.Dir(at) {
		if _, err := os.Lstat(at); err == nil {
			break
		}
		at = filepath.Dir(at)
	}
	if e.Op == "mkdir" {
		text = "creating directory " + text
	}
	if at != path || e.Op == "mkdir" {
		text += ": " + at
	}
	switch {
	case errors.Is(e, fs.ErrNotExist) && at == path:
		return text + " is a link to a file that does not exist"
	case errors.Is(e, fs.ErrNotExist):
		return path + " does not exist" + suggest.Path(path)
	case errors.Is(e, fs.ErrPermission):
		return text + " may not be read, searched or written by this user"
	case errors.Is(e, syscall.ENOTDIR):
		return text + " is not a directory"
	case errors.Is(e, syscall.EISDIR):
		return text + " is a directory, want a file"
	case errors.Is(e, syscall.ELOOP):
		return text + " is a link that leads to itself"
	}
	return ""
}
