package benchmarks

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"memobench/benchmarks/record"
	"memobench/models/checkpoint"
)

// Names of the files in a run's directory; see the package comment.
const (
	CurveName      = record.CurveName
	WeightsName    = "model.safetensors"
	ConfigName     = "config.yaml"
	CheckpointName = "checkpoint"
	lockName       = "lock"
)

// DirError says why a run may not use its directory.
type DirError struct {
	Dir     string
	Problem DirProblem
	Detail  string
}

// DirProblem is a reason to refuse a directory.
type DirProblem int

// The reasons.
const (
	DirLocked     DirProblem = iota // another process works on it
	DirFinished                     // it holds the finished run; Resume returns its record, Overwrite makes it anew
	DirUnfinished                   // it holds a part of the run; Resume continues it, Overwrite makes it anew
	DirOtherRun                     // it holds a run of another configuration or on other data; only Overwrite goes on
	DirForeign                      // it holds files that are no run's; nothing goes on
)

func (e *DirError) Error() string {
	text := map[DirProblem]string{
		DirLocked:     "another process works on it",
		DirFinished:   "it holds this run, finished: ask for resume to keep it, or for overwrite to run again",
		DirUnfinished: "it holds a part of this run: ask for resume to continue it, or for overwrite to start again",
		DirOtherRun:   "it holds another run: take another directory, or ask for overwrite",
		DirForeign:    "it holds files that are not a run's: take another directory",
	}[e.Problem]
	if e.Detail != "" {
		text += " (" + e.Detail + ")"
	}
	return fmt.Sprintf("directory %s: %s", e.Dir, text)
}

// runDir is a run's directory, locked by this process.
type runDir struct {
	path string
	lock *os.File
}

func (d *runDir) file(name string) string { return filepath.Join(d.path, name) }

// openDir makes the directory if need be and locks it.
func openDir(path string) (*runDir, error) {
	if path == "" {
		return nil, fmt.Errorf("no directory given for the run")
	}
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, err
	}
	if err := onlyOurs(path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(path, lockName), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	ok, err := tryLock(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("locking %s: %w", f.Name(), err)
	}
	if !ok {
		pid := make([]byte, 32)
		n, _ := f.Read(pid) // the holder's word; empty while it starts
		f.Close()
		return nil, &DirError{Dir: path, Problem: DirLocked, Detail: strings.TrimSpace("process " + strings.TrimSpace(string(pid[:n])))}
	}
	// The file stays when the run ends: removing it would let a process that
	// has it open lock a file that nobody sees.
	if err := f.Truncate(0); err == nil {
		fmt.Fprintf(f, "%d\n", os.Getpid())
	}
	return &runDir{path: path, lock: f}, nil
}

func (d *runDir) close() error { return d.lock.Close() }

// onlyOurs refuses a directory with files that no run makes.
func onlyOurs(path string) error {
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		switch name := e.Name(); name {
		case record.FileName, record.BenchName, record.PredictionsName, CurveName, WeightsName, ConfigName, CheckpointName, lockName:
		default:
			if !strings.HasPrefix(name, ".") { // hidden files, half-written ones among them
				return &DirError{Dir: path, Problem: DirForeign, Detail: name}
			}
		}
	}
	return nil
}

// standing is what a directory holds of a run.
type standing struct {
	rec   *record.Record         // nil when the run has no record
	saved *checkpoint.Checkpoint // nil when there is nothing to resume from
}

// dataset returns the hash of the data that the run was made with, empty where
// there is none.
func (s *standing) dataset() string {
	switch {
	case s.saved != nil:
		return s.saved.DatasetHash
	case s.rec != nil:
		return s.rec.Dataset.Hash
	}
	return ""
}

// admit decides whether cell may run in the directory and from where.
// The data's contents are the caller's to compare: a cell does not hold them.
func (d *runDir) admit(cell *Cell, o *Options) (standing, error) {
	if o.Overwrite {
		return standing{}, d.clear()
	}
	var s standing
	_, err := os.Stat(d.file(record.FileName))
	if err == nil {
		s.rec, err = record.ReadFile(d.file(record.FileName))
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return s, err
	}
	if s.rec != nil && s.rec.Identity.Cell != cell.Hash() {
		i := s.rec.Identity
		return s, &DirError{Dir: d.path, Problem: DirOtherRun, Detail: fmt.Sprintf("%s %s seed %d, configuration %s", i.Task, i.Label, i.Seed, i.Cell)}
	}
	if s.rec != nil && s.rec.Status.Finished() {
		if !o.Resume {
			return s, &DirError{Dir: d.path, Problem: DirFinished}
		}
		return s, nil
	}
	s.saved, err = checkpoint.Load(d.file(CheckpointName))
	switch {
	case errors.Is(err, checkpoint.ErrNone):
		// Killed before its first checkpoint, or never begun: from the start.
		return standing{}, nil
	case err != nil:
		return s, err
	case s.saved.CellHash != cell.Hash():
		return s, &DirError{Dir: d.path, Problem: DirOtherRun, Detail: whatDiffers(s.saved, cell)}
	case !o.Resume:
		return s, &DirError{Dir: d.path, Problem: DirUnfinished, Detail: fmt.Sprintf("at step %d of %d", s.saved.Step, cell.Protocol.Steps)}
	}
	return s, nil
}

// whatDiffers names the settings in which a checkpoint's run is not cell.
func whatDiffers(saved *checkpoint.Checkpoint, cell *Cell) string {
	var other Cell
	if err := other.UnmarshalJSON(saved.Config); err != nil {
		return fmt.Sprintf("its configuration cannot be read: %v", err)
	}
	return strings.Join(differences(&other, cell), "; ")
}

// clear removes what a run left. The lock stays.
func (d *runDir) clear() error {
	for _, name := range []string{record.FileName, record.BenchName, record.PredictionsName, CurveName, WeightsName, ConfigName} {
		if err := os.Remove(d.file(name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return checkpoint.Remove(d.file(CheckpointName))
}
