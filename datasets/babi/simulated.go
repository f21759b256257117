package babi

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"memobench/datasets"
	"memobench/datasets/babi/simulate"
	"memobench/datasets/binfile"
)

// Values of the setting source, and as a data path.
const (
	fromFiles       = "files"
	simulatedSource = "simulated"
)

// marker is the file that marks the standard files in its directory as simulated, for a
// caveat.
const marker = "SIMULATED.txt"

// defaultSeed is the seed of stories that replace missing files. With it no memory is longer
// than the paper's 320 rows.
const defaultSeed = 3

// find returns the data of the user's path or of the setting source. For a trained model the
// path has precedence, since it may be evaluated on other data; otherwise a contradiction is
// an error.
func find(s Settings, opts datasets.Options) (*library, error) {
	source, other := "", fromFiles
	if s.Source != nil {
		source = *s.Source
	}
	if opts.DataPath == simulatedSource {
		other = simulatedSource
	}
	switch path := opts.DataPath; {
	case path != "" && opts.Trained == nil && source != "" && source != other:
		return nil, datasets.BadSetting("source", source, "%s with the data path %s", other, path)
	case path == simulatedSource, path == "" && source == simulatedSource:
		return simulatedLibrary(s), nil
	}
	lib, err := locate(opts.DataPath)
	if errors.Is(err, ErrNoData) && source != fromFiles {
		return simulatedLibrary(s), nil
	}
	return lib, err
}

// simulatedLibrary returns simulated files of the sizes of the official ones. Validation files
// have stories of their own and a share of the training questions. With age there are ten times as many
// test questions, of which few remain.
func simulatedLibrary(s Settings) *library {
	lib := &library{where: "simulated stories", simulated: true, generated: true}
	held, rules := int(math.Round(s.Validation*simulate.TrainQuestions)), s.rules()
	questions := [3]int{simulate.TrainQuestions - held, held, simulate.TestQuestions}
	if s.Age != nil {
		questions[datasets.Test] *= 10
	}
	for split, count := range questions {
		for n := 1; n <= numTasks && count > 0; n++ {
			lib.files[split][n] = simulatedFile(rules, n, datasets.Split(split), defaultSeed, count)
		}
	}
	return lib
}

// simulatedFile returns a file that is generated when it is read.
func simulatedFile(rules simulate.Rules, task int, split datasets.Split, seed uint64, questions int) *input {
	return &input{"simulated " + officialName(task, split.String()), func() (string, error) {
		var stories strings.Builder
		err := rules.Write(&stories, task, split, seed, questions)
		return stories.String(), err
	}}
}

// writeSimulated implements datasets.Entry.WriteFiles: the standard files of the selected tasks and the
// marker. As with official files, validation stories are a part of the training file.
func writeSimulated(dir string, settings any, seed uint64, questions int) error {
	s := settings.(*Settings)
	numbers, err := s.validate(false)
	if err != nil {
		return fmt.Errorf("babi: %w", err)
	}
	sums := fmt.Sprintf("The files qaN_*.txt beside this one hold simulated stories (memobench, seed %d), not the official bAbI data.\n", seed)
	for _, n := range numbers {
		for split, count := range map[datasets.Split]int{datasets.Train: questions, datasets.Test: max(1, questions/10)} {
			name := officialName(n, split.String())
			stories, err := simulatedFile(s.rules(), n, split, seed, count).read()
			if err := cmp.Or(err, os.WriteFile(filepath.Join(dir, name), []byte(stories), 0o666)); err != nil {
				return err
			}
			sums += sumLine(name, stories)
		}
	}
	return os.WriteFile(filepath.Join(dir, marker), []byte(sums), 0o666)
}

// sumLine is the line of a file in the marker, as sha256sum writes it.
func sumLine(name, text string) string {
	return fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte(text)), name)
}

// checkSum compares the text of a file with its SHA-256 in the marker next to it, if that has one.
func checkSum(path, s string) error {
	sums, err := binfile.ReadText(filepath.Join(filepath.Dir(path), marker), maxFileSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	name := filepath.Base(path)
	if err == nil && strings.Contains(sums, "  "+name+"\n") && !strings.Contains(sums, sumLine(name, s)) {
		err = fmt.Errorf("%s: its SHA-256 is not that in %s: the file was changed", path, marker)
	}
	return err
}
