package babi

import (
	"archive/tar"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"memobench/datasets"
	"memobench/datasets/binfile"
)

// envPath is the environment variable with the default data path.
const envPath = "MEMOBENCH_BABI"

// ErrNoData says that no data were given and none found.
var ErrNoData = errors.New("no bAbI data found")

// The official archive, version 1.2: its name, the address on the page of the bAbI tasks, and its
// SHA-256 as recorded by other users.
const (
	archiveName   = "tasks_1-20_v1-2.tar.gz"
	archiveURL    = "http://www.thespermwhale.com/jaseweston/babi/" + archiveName
	archiveSHA256 = "0364ebde659f14d11bc21744516c5ec49d3d06cb692733f66680771244998898"
)

// byHand says how to get the files without data fetch.
const byHand = `By hand: get the archive ` + archiveName + ` of "The (20) QA bAbI tasks"
(https://research.facebook.com/downloads/babi/), and give it, or the directory it unpacks to, with --data or in $` + envPath

// substituteName is the substitute for the training file of task 3, in a directory next to en-10k.
const substituteName = "qa3-substitute/qa3_train_substitute_10k.txt"

// fileName matches the standard files. Of other files, those that begin as these do are named.
var fileName = regexp.MustCompile(`^qa([1-9]|1\d|20)_(?:.*_)?(train|test)\.txt$`)

// Bounds on the size of a file and of an unpacked archive. The largest official file has 5 MB, the
// archive 250 MB.
const (
	maxFileSize = 64 << 20
	maxArchive  = 1 << 30
)

// input is the text of a standard file, which is read or generated when it is needed.
type input struct {
	name string // for messages
	read func() (string, error)
}

func onDisk(path string) *input {
	return &input{path, func() (string, error) {
		s, err := binfile.ReadText(path, maxFileSize)
		if err != nil {
			return "", err
		}
		return s, checkSum(path, s)
	}}
}

func inMemory(name string, data []byte) *input {
	return &input{name, func() (string, error) {
		s, err := binfile.Text(data)
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		return s, nil
	}}
}

// library holds the standard files by task.
type library struct {
	where      string                  // directory or archive, for messages
	files      [3][numTasks + 1]*input // by split; nil for none, and where validation is a part of train
	simulated  bool                    // by package simulate
	generated  bool                    // in this process, so the vocabulary is known
	found      int                     // number of files
	substitute *input                  // training data for task 3, nil if there are none
	unread     []string                // names of files that look like those of a task, such as qa1_valid.txt
}

// cacheDir returns the default directory of the archive.
func cacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "memobench"), err
}

// locate finds the standard files at path: a directory with them, a directory above it (one with en-10k
// or tasks_1-20_v1-2/en-10k), the official archive, or a directory with the archive under its official
// name. An empty path means $MEMOBENCH_BABI, then data/babi and the cache of data fetch.
func locate(path string) (*library, error) {
	path = cmp.Or(path, os.Getenv(envPath))
	if path == "" {
		places := []string{"data/babi", "../shared/data/babi"}
		if dir, err := cacheDir(); err == nil {
			places = append(places, filepath.Join(dir, archiveName))
		}
		for _, p := range places {
			if _, err := os.Stat(p); err == nil {
				return locate(p)
			}
		}
		return nil, fmt.Errorf("%w in $%s and %s; \"memobench data fetch babi\" downloads them. %s", ErrNoData, envPath, strings.Join(places, ", "), byHand)
	}
	if info, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("the data path: %w", err)
	} else if !info.IsDir() {
		return readArchive(path)
	}
	for _, below := range []string{".", "en-10k", "tasks_1-20_v1-2/en-10k"} {
		dir := filepath.Join(path, below)
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		lib := &library{where: dir}
		for _, e := range entries {
			if err := lib.add(e.Name(), onDisk(filepath.Join(dir, e.Name()))); err != nil {
				return nil, err
			}
		}
		if lib.found > 0 {
			lib.findSubstitute(dir, filepath.Join(dir, ".."))
			return lib, nil
		}
	}
	archive := filepath.Join(path, archiveName)
	if _, err := os.Stat(archive); err == nil {
		return readArchive(archive)
	}
	return nil, fmt.Errorf("%s: no bAbI files (qaN_*_train.txt, qaN_*_test.txt) there, nor in en-10k below it, nor %s", path, archiveName)
}

// readArchive reads the standard files of a .tar.gz, those in a directory en-10k.
func readArchive(file string) (*library, error) {
	f, _, err := binfile.OpenRegular(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: neither a directory of bAbI files nor their archive: %w", file, err)
	}
	lib := &library{where: file}
	left := &io.LimitedReader{R: unzipped, N: maxArchive}
	for r := tar.NewReader(left); ; {
		h, err := r.Next()
		if left.N == 0 {
			return nil, fmt.Errorf("%s: unpacks to more than %d MiB: not the bAbI archive", file, maxArchive>>20)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		var data []byte
		if err == nil && h.Typeflag == tar.TypeReg && path.Base(path.Dir(h.Name)) == "en-10k" && h.Size <= maxFileSize {
			if data, err = io.ReadAll(r); err == nil {
				err = lib.add(path.Base(h.Name), inMemory(file+":"+h.Name, data))
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: reading the archive: %w", file, err)
		}
	}
	if lib.found == 0 {
		return nil, fmt.Errorf("%s: no bAbI files in a directory en-10k of the archive", file)
	}
	lib.findSubstitute(filepath.Dir(file))
	return lib, nil
}

// add adds a file if it has the name of a standard file.
func (lib *library) add(name string, in *input) error {
	lib.simulated = lib.simulated || name == marker
	m := fileName.FindStringSubmatch(name)
	if m == nil {
		if strings.HasPrefix(name, "qa") && strings.HasSuffix(name, ".txt") {
			lib.unread = append(lib.unread, name)
		}
		return nil
	}
	n, _ := strconv.Atoi(m[1])
	split, _ := datasets.ParseSplit(m[2])
	slot := &lib.files[split][n]
	if *slot != nil {
		return fmt.Errorf("%s and %s are both %s files of task %d: keep one", (*slot).name, in.name, m[2], n)
	}
	*slot = in
	lib.found++
	return nil
}

func (lib *library) findSubstitute(dirs ...string) {
	for _, dir := range dirs {
		path := filepath.Join(dir, filepath.FromSlash(substituteName))
		if _, err := os.Stat(path); err == nil {
			lib.substitute = onDisk(path)
			return
		}
	}
}

// file returns the file of task n that holds split, or nil. Validation is a part of the training file.
func (lib *library) file(n int, split datasets.Split) *input {
	if split == datasets.Validation {
		split = datasets.Train
	}
	return lib.files[split][n]
}

// complete returns the tasks among numbers that have the files of split and of all needed splits.
func (lib *library) complete(numbers []int, split datasets.Split, opts datasets.Options) []int {
	return slices.DeleteFunc(slices.Clone(numbers), func(n int) bool {
		for s := range datasets.Test + 1 {
			if (s == split || opts.Needs(s)) && lib.file(n, s) == nil {
				return true
			}
		}
		return false
	})
}

// missing returns an error that names the missing files of split, and the tasks that can be run; nil if
// there are none.
func (lib *library) missing(numbers []int, split datasets.Split, opts datasets.Options) error {
	var tasks []int
	var files []string
	kind, ending := "training", "train"
	if split == datasets.Test {
		kind, ending = "test", "test"
	}
	for _, n := range numbers {
		if lib.file(n, split) == nil {
			tasks, files = append(tasks, n), append(files, officialName(n, ending))
		}
	}
	if tasks == nil {
		return nil
	}
	word := "tasks"
	if len(tasks) == 1 {
		word = "task"
	}
	advice := ""
	all, _ := parseTasks("all")
	if runnable := lib.complete(all, split, opts); len(runnable) > 0 && opts.Trained == nil { // the tasks of trained weights are fixed
		advice = fmt.Sprintf("\n  tasks whose files are there: --set tasks=%s", formatTasks(runnable))
	}
	if split != datasets.Test && slices.Equal(tasks, []int{3}) && lib.substitute != nil {
		advice += fmt.Sprintf("\n  or --set substitute_task3=true to train task 3 on %s; results will carry a label that says so", lib.substitute.name)
	}
	return fmt.Errorf("%s %s cannot be run: %s has no %s file %s%s\n  \"memobench data fetch babi\" downloads the official files",
		word, formatTasks(tasks), lib.where, kind, strings.Join(files, ", "), advice)
}

// checkArchive returns the number of bAbI files in an archive.
func checkArchive(path string) (int, error) {
	lib, err := readArchive(path)
	if err != nil {
		return 0, err
	}
	return lib.found, nil
}
