package report

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/benchmarks/trace"
)

// Run is a result record and where it was read.
type Run struct {
	Path   string // of the file, for errors
	Record *record.Record

	settings string // settingsKey of the record, or empty

	// derived are the settings in which the model differs from most runs of its
	// label, though no change to the preset says so; see distinguish.
	derived []string

	// Of a run that counts, see Once.
	repeats []Run    // other records of it
	aside   []string // runs that do not count beside it, and why
}

// Files is what lies at and below a path, in lexical order.
type Files struct {
	Records []string
	Others  []string // attention traces and texts
	Links   []string // links to directories, which are not followed
}

// Find lists the files of a report at path or below it: records, attention traces
// and texts (*.txt). A path that is named is read even where it is a link.
func Find(path string) (*Files, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no results: %s does not exist", path)
	}
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return &Files{Records: []string{path}}, nil
	}
	files := new(Files)
	// The separator makes WalkDir follow a link.
	err = filepath.WalkDir(path+string(filepath.Separator), func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		p = filepath.Clean(p)
		if d.Type()&fs.ModeSymlink != 0 {
			if info, err := os.Stat(p); err == nil && info.IsDir() {
				files.Links = append(files.Links, p)
				return nil
			}
		}
		switch {
		case d.Name() == record.FileName:
			files.Records = append(files.Records, p)
		case IsTrace(p) || filepath.Ext(p) == ".txt":
			files.Others = append(files.Others, p)
		}
		return nil
	})
	return files, err
}

// Read reads the records at the given paths: a record file, a run's directory
// or a directory with run directories somewhere below it. A path without any
// record is an error, as is a record that cannot be read. The order of the paths
// does not matter: runs are in the order of their files. links are the links to
// directories that were not followed.
func Read(paths ...string) (runs []Run, links []string, err error) {
	seen := Seen{}
	for _, path := range slices.Sorted(slices.Values(paths)) {
		files, err := Find(path)
		if err != nil {
			return nil, nil, err
		}
		if len(files.Records) == 0 {
			return nil, nil, &NoRecordsError{path, files.Links}
		}
		if runs, err = files.AddRuns(runs, seen); err != nil {
			return nil, nil, err
		}
		links = append(links, files.Links...)
	}
	SortRuns(runs)
	return runs, links, nil
}

// Seen are the files that were read already, by absolute path.
type Seen map[string]bool

// First reports whether path is asked about for the first time.
func (s Seen) First(path string) bool {
	abs, err := filepath.Abs(path)
	if err != nil {
		abs = path
	}
	first := !s[abs]
	s[abs] = true
	return first
}

// AddRuns reads those records that were not seen and appends their runs to runs.
func (f *Files) AddRuns(runs []Run, seen Seen) ([]Run, error) {
	for _, file := range f.Records {
		if !seen.First(file) {
			continue
		}
		r, err := record.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("reading results: %w", err)
		}
		runs = append(runs, Run{Path: file, Record: r, settings: settingsKey(r)})
	}
	return runs, nil
}

// SortRuns sorts runs by their files, so that no output depends on the order in
// which directories are named.
func SortRuns(runs []Run) {
	slices.SortStableFunc(runs, func(a, b Run) int { return cmp.Compare(a.Path, b.Path) })
}

// NoRecordsError is a directory without any record.
type NoRecordsError struct {
	Path  string
	Links []string // to directories, which were not followed
}

func (e *NoRecordsError) Error() string {
	text := fmt.Sprintf("no results: there is no %s in or below %s", record.FileName, e.Path)
	if e.Links != nil {
		text += "; " + LinksNote(e.Links)
	}
	return text
}

// LinksNote says of links to directories that they were not followed.
func LinksNote(links []string) string {
	return "links to directories are not followed, name them to read them: " + strings.Join(links, ", ")
}

// IsTrace reports whether a file's name is that of an attention trace.
func IsTrace(path string) bool { return strings.HasSuffix(path, trace.Suffix) }
