package record

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"regexp"

	"memobench/datasets/binfile"
)

var digestForm = regexp.MustCompile(`^[0-9a-f]{64}$`)

// validateFiles refuses what is no plain file name with a SHA-256.
func (r *Record) validateFiles() error {
	for name, digest := range r.Files {
		if name != filepath.Base(name) || !digestForm.MatchString(digest) {
			return fmt.Errorf("files: %q: %q: want a file name with 64 hexadecimal digits", name, digest)
		}
	}
	return nil
}

// CheckFile compares the file of that name in the run's directory with the
// record's SHA-256. A file of which the record has none passes.
func (r *Record) CheckFile(dir, name string) error {
	want, ok := r.Files[name]
	if !ok {
		return nil
	}
	path := filepath.Join(dir, name)
	f, _, err := binfile.OpenRegular(path)
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if have := hex.EncodeToString(sum.Sum(nil)); have != want {
		return fmt.Errorf("%s: its SHA-256 is %s, %s says %s: the file is damaged, or of a run that was stopped before its record",
			path, have, FileName, want)
	}
	return nil
}
