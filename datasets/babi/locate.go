package babi

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"memobench/datasets/binfile"
)

// EnvPath is the environment variable with the default data path.
const EnvPath = "MEMOBENCH_BABI"

// defaultPaths are searched in order if neither a path nor EnvPath is given, before the archive
// in cacheDir.
var defaultPaths = []string{"data/babi", "../shared/data/babi"}

// ErrNoData says that no data were given and none found.
var ErrNoData = errors.New("no bAbI data found")

// howToGet is the end of messages about missing data.
const howToGet = `The files are not part of memobench. "memobench data fetch babi" downloads them. ` + byHand + `; --data simulated takes
simulated stories instead`

// byHand says how to download the files manually.
const byHand = `By hand: get the archive ` + archiveName + ` of
"The (20) QA bAbI tasks" (https://research.facebook.com/downloads/babi/), and either give it, or the directory it
unpacks to, with --data PATH or in $` + EnvPath + `, or put its en-10k directory into ./data/babi`

// substituteName is the substitute for the training file of task 3, in a directory next to
// en-10k.
const substituteName = "qa3-substitute/qa3_train_substitute_10k.txt"

// fileName matches the standard files; other files are ignored.
var fileName = regexp.MustCompile(`^qa([1-9][0-9]?)_(?:.*_)?(train|test)\.txt$`)

// maxFileSize guards against wrong files; the largest official one has 5 MB.
const maxFileSize = 64 << 20

// input is one file, on disk or in an archive.
type input struct {
	name string // for messages
	read func() ([]byte, error)
}

func readLimited(r io.Reader, name string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFileSize+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(data) > maxFileSize {
		return nil, fmt.Errorf("%s: more than %d MiB: not a bAbI file", name, maxFileSize>>20)
	}
	return data, nil
}

func onDisk(path string) *input {
	return &input{path, func() ([]byte, error) { return binfile.ReadFile(path, maxFileSize) }}
}

// library holds the available files.
type library struct {
	where       string // directory or archive, for messages
	train, test [NumTasks + 1]*input
	validation  [NumTasks + 1]*input // nil if it is a part of train
	simulated   bool                 // by package simulate
	generated   bool                 // in this process, so the vocabulary is known
	substitute  *input               // training data for task 3, nil if there are none
	single      *input               // a single file, used as test data; else nil
	singleTask  int                  // its task according to its name, or 0
}

// locate finds the standard files at path, which is
//
//   - a directory with files named qaN_*_train.txt and qaN_*_test.txt,
//   - a directory above it: one with en-10k or tasks_1-20_v1-2/en-10k,
//   - the official archive (recognized by its content), or a directory with the archive
//     under its official name, as after data fetch,
//   - or one text file in the standard format.
//
// An empty path means $MEMOBENCH_BABI and then the candidates.
func locate(path string) (*library, error) {
	from := "the data path given"
	if path == "" {
		path, from = os.Getenv(EnvPath), "$"+EnvPath
	}
	if path == "" {
		return locateDefault(".")
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", from, err, howToGet)
	}
	if info.IsDir() {
		return locateDir(path)
	}
	magic, err := head(path, 2)
	if err != nil {
		return nil, err
	}
	if magic == "\x1f\x8b" { // gzip, RFC 1952
		return locateArchive(path)
	}
	lib := &library{where: path, single: onDisk(path)}
	if _, err := os.Stat(filepath.Join(filepath.Dir(path), Marker)); err == nil {
		lib.simulated = true
	}
	if m := fileName.FindStringSubmatch(filepath.Base(path)); m != nil {
		if n, _ := strconv.Atoi(m[1]); n <= NumTasks {
			lib.singleTask = n
		}
	}
	return lib, nil
}

// locateDefault locates the files of the first existing candidate.
func locateDefault(root string) (*library, error) {
	paths := candidates(root)
	for _, p := range paths {
		if _, err := os.Stat(p); err == nil {
			return locate(p)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return nil, fmt.Errorf("%w: $%s is not set, and there is neither %s\n%s",
		ErrNoData, EnvPath, strings.Join(paths, " nor "), howToGet)
}

func head(path string, n int64) (string, error) {
	f, _, err := binfile.OpenRegular(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, n))
	return string(b), err
}

func locateDir(path string) (*library, error) {
	for _, below := range []string{".", "en-10k", "tasks_1-20_v1-2/en-10k"} {
		dir := filepath.Join(path, below)
		entries, err := os.ReadDir(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, err
		}
		lib := &library{where: dir}
		found, total := false, int64(0)
		for _, e := range entries {
			if e.IsDir() {
				continue
			}
			path := filepath.Join(dir, e.Name())
			took, err := lib.add(e.Name(), onDisk(path))
			if err != nil {
				return nil, err
			}
			found = found || took
			lib.simulated = lib.simulated || e.Name() == Marker
			if info, err := os.Stat(path); err == nil && took {
				total += info.Size()
			}
		}
		if total > maxInDirectory {
			return nil, tooLarge(dir, maxInDirectory)
		}
		if found {
			lib.findSubstitute(dir, filepath.Join(dir, ".."))
			return lib, nil
		}
	}
	archive := filepath.Join(path, archiveName)
	if info, err := os.Stat(archive); err == nil && info.Mode().IsRegular() {
		return locateArchive(archive)
	}
	return nil, fmt.Errorf("%s: no bAbI files (qaN_*_train.txt, qaN_*_test.txt) there, nor in en-10k below it, nor %s", path, archiveName)
}

// add adds a file if it has the name of a standard file, and reports whether it has.
func (lib *library) add(name string, in *input) (bool, error) {
	m := fileName.FindStringSubmatch(name)
	if m == nil {
		return false, nil
	}
	n, _ := strconv.Atoi(m[1])
	if n > NumTasks {
		return false, nil
	}
	slot := &lib.test[n]
	if m[2] == "train" {
		slot = &lib.train[n]
	}
	if *slot != nil {
		return false, fmt.Errorf("%s and %s are both %s files of task %d: keep one", (*slot).name, in.name, m[2], n)
	}
	*slot = in
	return true, nil
}

func (lib *library) findSubstitute(dirs ...string) {
	for _, dir := range dirs {
		path := filepath.Join(dir, filepath.FromSlash(substituteName))
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			lib.substitute = onDisk(path)
			return
		}
	}
}
