package train

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/evaluate/trace"
	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/datasets/tfrecord"
	"memobench/models/checkpoint"
)

// Names of the files in a run's directory; see the package comment.
const (
	CurveName      = record.CurveName
	ConfigName     = "config.yaml"
	checkpointName = evaluate.CheckpointName
)

// runFiles are all files of a finished run outside of its checkpoint. record.json is
// first, so that a run of which only some files were removed does not look finished.
var runFiles = []string{record.FileName, record.BenchName, record.PredictionsName, CurveName, evaluate.WeightsName,
	ConfigName}

// DirError says why a run may not use its directory.
type DirError struct {
	Dir     string
	Problem dirProblem
	Detail  string
}

// dirProblem is a reason to refuse a directory.
type dirProblem string

// The reasons. Resume keeps a finished run and continues an unfinished one; Overwrite replaces it.
const (
	dirLocked     dirProblem = "another process works on it"
	DirFinished   dirProblem = "it holds this run, finished: --resume keeps it, --overwrite runs it again"
	DirUnfinished dirProblem = "it holds a part of this run: --resume continues it, --overwrite starts anew"
	DirOtherRun   dirProblem = "it holds another run: name another directory with --out, or remove it with --overwrite"
	DirOtherData  dirProblem = "it holds this run on other data: name those of training with --data, another directory with --out, or add --overwrite"
	dirForeign    dirProblem = "it holds files that are not a run's: name another directory with --out"
	DirLost       dirProblem = "it holds a part of a run that cannot be continued: name another directory with --out, or remove it with --overwrite"
)

func (e *DirError) Error() string {
	if e.Detail == "" {
		return fmt.Sprintf("directory %s: %s", e.Dir, e.Problem)
	}
	return fmt.Sprintf("directory %s: %s (%s)", e.Dir, e.Problem, e.Detail)
}

// runDir is a run's directory, locked by this process.
type runDir struct {
	path string
	lock *os.File
}

func (d *runDir) file(name string) string { return filepath.Join(d.path, name) }

// openDir creates the directory if it is missing, locks it for the run called name, and
// removes temporary files of killed processes.
func openDir(path, name string) (*runDir, error) {
	if path == "" {
		return nil, fmt.Errorf("no directory given for the run")
	}
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, fmt.Errorf("directory of the run: %w", err)
	}
	if err := checkFiles(path); err != nil {
		return nil, err
	}
	// The file stays when the run ends: if it were removed, a process that has it open
	// could lock a file that is no longer in the directory.
	lock, err := Lock(path, name)
	if err != nil {
		return nil, err
	}
	for _, dir := range []string{path, filepath.Join(path, checkpointName)} {
		err = errors.Join(err, checkpoint.RemoveTemp(dir))
	}
	if err != nil {
		lock.Close()
		return nil, err
	}
	return &runDir{path: path, lock: lock}, nil
}

func (d *runDir) close() error { return d.lock.Close() }

// otherData refuses a directory with a run on data of the given hash. It says what the data are
// now where they are not the paper's.
func otherData(dir, task, hash string, now datasets.Spec) *DirError {
	detail := fmt.Sprintf("hash %s, now %s", hash, now.Hash)
	entry, _ := datasets.Lookup(task)
	if entry.DataEnv == "" {
		return &DirError{Dir: dir, Problem: DirOtherRun, Detail: "a run on other data: " + detail}
	}
	for _, c := range now.Caveats {
		if c.Kind == datasets.SimulatedData || c.Kind == datasets.SubstituteData {
			detail += ", " + c.Text
		}
	}
	return &DirError{Dir: dir, Problem: DirOtherData, Detail: detail + "; --data may also be given as $" + entry.DataEnv}
}

// checkFiles refuses a directory with files that no run writes.
func checkFiles(path string) error {
	entries, err := os.ReadDir(path)
	if err != nil {
		return fmt.Errorf("directory of the run: %w", err)
	}
	for _, e := range entries {
		name := e.Name()
		own := strings.HasPrefix(name, ".") || name == LockName || name == checkpointName || slices.Contains(runFiles, name) ||
			strings.HasSuffix(name, trace.Suffix) || strings.HasPrefix(name, tfrecord.EventsPrefix)
		if !own || e.IsDir() != (name == checkpointName) && !strings.HasPrefix(name, ".") {
			return &DirError{Dir: path, Problem: dirForeign, Detail: name}
		}
	}
	return nil
}

// runState is the content of a run's directory.
type runState struct {
	rec   *record.Record         // nil when the run has no record
	saved *checkpoint.Checkpoint // nil when the run has no checkpoint
}

// dataset returns the hash of the run's data, empty when the directory holds no run.
func (s *runState) dataset() string {
	switch {
	case s.saved != nil:
		return s.saved.DatasetHash
	case s.rec != nil:
		return s.rec.Dataset.Hash
	}
	return ""
}

// admit decides whether cell may run in the directory, and from which checkpoint. The
// caller compares the hash of the data, which a cell does not have.
func (d *runDir) admit(cell *study.Cell, o *Options) (runState, error) {
	if o.Overwrite {
		return runState{}, d.clear()
	}
	rec, err := record.ReadFile(d.file(record.FileName))
	s := runState{rec: rec}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return s, err
	}
	if s.rec != nil && s.rec.Identity.Cell != cell.Hash() {
		other, err := study.CellOf(rec)
		return s, &DirError{Dir: d.path, Problem: DirOtherRun, Detail: whatDiffers(other, err, cell)}
	}
	if s.rec != nil && s.rec.Status.Finished() {
		if !o.Resume {
			return s, &DirError{Dir: d.path, Problem: DirFinished}
		}
		return s, nil
	}
	s.saved, err = checkpoint.Load(d.file(checkpointName))
	switch {
	case errors.Is(err, checkpoint.ErrNone):
		return runState{}, d.admitWithoutCheckpoint()
	case err != nil:
		return s, &DirError{Dir: d.path, Problem: DirLost, Detail: err.Error()}
	case s.saved.CellHash != cell.Hash():
		var other study.Cell
		err := other.UnmarshalJSON(s.saved.Config)
		return s, &DirError{Dir: d.path, Problem: DirOtherRun, Detail: whatDiffers(&other, err, cell)}
	case !o.Resume:
		return s, &DirError{Dir: d.path, Problem: DirUnfinished,
			Detail: fmt.Sprintf("at step %d of %d", s.saved.Step, cell.Protocol.Steps)}
	}
	return s, nil
}

// admitWithoutCheckpoint accepts a directory without a checkpoint if it is empty, or holds what
// a run leaves that is killed before its first checkpoint: its configuration, and the beginning
// of its curve. These are replaced.
func (d *runDir) admitWithoutCheckpoint() error {
	for _, name := range runFiles {
		if _, err := os.Stat(d.file(name)); err == nil && name != ConfigName && name != CurveName {
			return &DirError{Dir: d.path, Problem: DirLost, Detail: name + " is there, a checkpoint is not"}
		}
	}
	return nil
}

// whatDiffers names the settings in which the run in the directory differs from cell. err
// is that of reading them.
func whatDiffers(there *study.Cell, err error, cell *study.Cell) string {
	if err != nil {
		return fmt.Sprintf("its configuration cannot be read: %v", err)
	}
	return cmp.Or(strings.Join(study.Differences(there, cell), "; "), "configuration "+there.Hash())
}

// clear removes all files of a run except the lock.
func (d *runDir) clear() error {
	for _, name := range runFiles {
		if err := os.Remove(d.file(name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	traces, err := filepath.Glob(d.file("*" + trace.Suffix))
	events, err1 := filepath.Glob(d.file(tfrecord.EventsPrefix + "*"))
	err = errors.Join(err, err1)
	for _, path := range slices.Concat(traces, events) {
		err = errors.Join(err, os.Remove(path))
	}
	return errors.Join(err, checkpoint.Remove(d.file(checkpointName)))
}
