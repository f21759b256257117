package babi

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"memobench/datasets/binfile"
)

// The official archive, version 1.2: its name, the address on the page of the bAbI tasks, and
// its SHA-256 as recorded by other users.
const (
	archiveName   = "tasks_1-20_v1-2.tar.gz"
	archiveURL    = "http://www.thespermwhale.com/jaseweston/babi/" + archiveName
	archiveSHA256 = "0364ebde659f14d11bc21744516c5ec49d3d06cb692733f66680771244998898"
)

// checkArchive returns the number of bAbI files in an archive.
func checkArchive(path string) (int, error) {
	list, _, err := Files(path)
	if err == nil && (len(list) == 0 || list[0].Name == path) { // a text file
		err = errors.New("the file is not an archive of bAbI files")
	}
	return len(list), err
}

// cacheDir returns the default directory of the archive: memobench in the user's cache
// directory. It fails if the system has none.
func cacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "memobench"), nil
}

// candidates lists the paths that are searched if none is given: those below root and the
// cache.
func candidates(root string) []string {
	var paths []string
	for _, p := range defaultPaths {
		paths = append(paths, filepath.Join(root, p))
	}
	if dir, err := cacheDir(); err == nil {
		paths = append(paths, filepath.Join(dir, archiveName))
	}
	return paths
}

// locateArchive reads the standard files of a .tar.gz: those in the directory en-10k, or in the
// only directory with such files.
func locateArchive(file string) (*library, error) {
	var dirs []string
	err := walkArchive(file, func(dir, name string, _ io.Reader) error {
		if fileName.MatchString(name) && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	from := ""
	for _, d := range dirs {
		if path.Base(d) == "en-10k" {
			from = d
		}
	}
	switch {
	case len(dirs) == 0:
		return nil, fmt.Errorf("%s: no bAbI files (qaN_*_train.txt, qaN_*_test.txt) in the archive", file)
	case from == "" && len(dirs) > 1:
		return nil, fmt.Errorf("%s: bAbI files in %s, and none of them is named en-10k: unpack it and give one directory",
			file, strings.Join(dirs, ", "))
	case from == "":
		from = dirs[0]
	}

	lib, total := &library{where: file + ":" + from}, 0
	err = walkArchive(file, func(dir, name string, r io.Reader) error {
		if dir != from {
			return nil
		}
		lib.simulated = lib.simulated || name == Marker
		if !fileName.MatchString(name) {
			return nil
		}
		where := file + ":" + path.Join(dir, name)
		data, err := readLimited(r, where)
		if err != nil {
			return err
		}
		if total += len(data); total > maxInArchive {
			return tooLarge(file, maxInArchive)
		}
		_, err = lib.add(name, &input{where, func() ([]byte, error) { return data, nil }})
		return err
	})
	if err != nil {
		return nil, err
	}
	lib.findSubstitute(filepath.Dir(file))
	return lib, nil
}

// maxArchive bounds the unpacked size of an archive, maxInArchive the size of the files read from
// it and maxInDirectory that of files in a directory, where one may have generated many stories. The
// official en-10k, one of eight directories, has 30 MB.
const (
	maxArchive     = 1 << 30
	maxInArchive   = 64 << 20
	maxInDirectory = 1 << 30
)

func tooLarge(path string, limit int) error {
	return fmt.Errorf("%s: its bAbI files take more than %d MiB in all: not the bAbI tasks", path, limit>>20)
}

// walkArchive calls visit for every regular file.
func walkArchive(file string, visit func(dir, name string, r io.Reader) error) error {
	f, _, err := binfile.OpenRegular(file)
	if err != nil {
		return err
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	// Skipped files are unpacked, too.
	left := &io.LimitedReader{R: unzipped, N: maxArchive}
	for r := tar.NewReader(left); ; {
		h, err := r.Next()
		if left.N == 0 {
			return fmt.Errorf("%s: unpacks to more than %d MiB: not the bAbI archive", file, maxArchive>>20)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: reading the archive: %w", file, err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		clean := path.Clean(h.Name)
		if err := visit(path.Dir(clean), path.Base(clean), r); err != nil {
			return err
		}
	}
}
