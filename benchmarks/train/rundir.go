package train

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memobench/benchmarks/config"
	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/record"
	"memobench/benchmarks/trace"
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
	dataEnv string // environment variable that names the data, for DirOtherData
}

// dirProblem is a reason to refuse a directory.
type dirProblem int

// The reasons.
const (
	dirLocked     dirProblem = iota // another process works on it
	DirFinished                     // it holds the finished run: use Resume to get its record, or Overwrite
	DirUnfinished                   // it holds a part of the run: use Resume to continue, or Overwrite
	DirOtherRun                     // it holds a run of another configuration or on other generated data: only Overwrite helps
	DirOtherData                    // it holds the run on other data, which DataPath may name
	dirForeign                      // it holds files that do not belong to a run
	DirLost                         // it holds a part of a run, but no checkpoint that can be read: only Overwrite helps
	dirMoved                        // it was moved, removed or replaced while the run worked in it
)

func (e *DirError) Error() string {
	text := map[dirProblem]string{
		dirLocked:     "another process works on it",
		DirFinished:   "it holds this run, finished: resume to keep it, or overwrite to run again",
		DirUnfinished: "it holds a part of this run: resume to continue it, or overwrite to start again",
		DirOtherRun:   "it holds another run: take another directory, or overwrite",
		DirOtherData: "it holds this run on other data: name those of training with --data or in $" + e.dataEnv +
			", take another directory, or overwrite",
		dirForeign: "it holds files that are not a run's: take another directory",
		DirLost:    "it holds a part of a run that cannot be continued: take another directory, or overwrite",
		dirMoved:   "it was moved, removed or replaced while the run worked in it; where it is now, the run can be resumed",
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

// inPlace returns a *DirError unless the lock that d holds is the file at d's path: it is
// another when the directory was moved, removed or replaced. Every save calls it first.
func (d *runDir) inPlace() error {
	held, err := d.lock.Stat()
	if err != nil {
		return err
	}
	if there, err := os.Lstat(d.file(LockName)); err != nil || !os.SameFile(held, there) {
		return &DirError{Dir: d.path, Problem: dirMoved}
	}
	return nil
}

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
	return &DirError{Dir: dir, Problem: DirOtherData, Detail: detail, dataEnv: entry.DataEnv}
}

// checkFiles refuses a directory with files that no run writes.
func checkFiles(path string) error {
	for _, dir := range []string{path, filepath.Join(path, checkpointName)} {
		entries, err := os.ReadDir(dir)
		if errors.Is(err, fs.ErrNotExist) && dir != path {
			return nil
		}
		if err != nil {
			return fmt.Errorf("directory of the run: %w", err)
		}
		for _, e := range entries {
			name := e.Name()
			if strings.HasPrefix(name, ".") { // hidden and temporary files
				continue
			}
			info, err := os.Stat(filepath.Join(dir, name)) // follows links
			if err != nil || !isRunFile(dir != path, name, info.Mode()) {
				return &DirError{Dir: path, Problem: dirForeign,
					Detail: strings.TrimPrefix(filepath.Join(dir, name), path+string(filepath.Separator))}
			}
		}
	}
	return nil
}

// isRunFile reports whether a run, or its checkpoint, has a file of that name and mode.
func isRunFile(inCheckpoint bool, name string, mode fs.FileMode) bool {
	switch {
	case inCheckpoint:
		return mode.IsRegular() && checkpoint.IsCheckpointFile(name)
	case name == checkpointName:
		return mode.IsDir()
	}
	return mode.IsRegular() && (name == LockName || slices.Contains(runFiles, name) ||
		strings.HasSuffix(name, trace.Suffix) || strings.HasPrefix(name, tfrecord.EventsPrefix))
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

// explain returns nil for nil, the error of inPlace if there is one, else err.
func (d *runDir) explain(err error) error {
	if err == nil {
		return nil
	}
	return cmp.Or(d.inPlace(), err)
}

// admit decides whether cell may run in the directory, and from which checkpoint. The
// caller compares the hash of the data, which a cell does not have.
func (d *runDir) admit(cell *config.Cell, o *Options) (runState, error) {
	if o.Overwrite {
		return runState{}, d.clear()
	}
	rec, err := record.ReadFile(d.file(record.FileName))
	s := runState{rec: rec}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return s, err
	}
	if s.rec != nil && s.rec.Identity.Cell != cell.Hash() {
		other, err := config.CellOf(rec)
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
		return runState{}, d.admitWithoutCheckpoint(cell)
	case err != nil:
		return s, &DirError{Dir: d.path, Problem: DirLost, Detail: err.Error()}
	case s.saved.CellHash != cell.Hash():
		var other config.Cell
		err := other.UnmarshalJSON(s.saved.Config)
		return s, &DirError{Dir: d.path, Problem: DirOtherRun, Detail: whatDiffers(&other, err, cell)}
	case !o.Resume:
		return s, &DirError{Dir: d.path, Problem: DirUnfinished,
			Detail: fmt.Sprintf("at step %d of %d", s.saved.Step, cell.Protocol.Steps)}
	}
	return s, nil
}

// admitWithoutCheckpoint accepts a directory without a checkpoint if it is empty, or
// holds what the same cell leaves when it is killed before its first checkpoint: its
// configuration, and the beginning of its curve.
func (d *runDir) admitWithoutCheckpoint(cell *config.Cell) error {
	lost := func(detail string) error { return &DirError{Dir: d.path, Problem: DirLost, Detail: detail} }
	text, err := os.ReadFile(d.file(ConfigName))
	same := err == nil
	if same {
		p, err := config.ParsePreset(ConfigName, text)
		if err != nil {
			return lost(err.Error())
		}
		cells := p.Cells()
		if len(cells) != 1 || cells[0].Hash() != cell.Hash() {
			return &DirError{Dir: d.path, Problem: DirOtherRun, Detail: ConfigName + " is of another one"}
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, name := range runFiles {
		if _, err := os.Stat(d.file(name)); err == nil && !(same && (name == ConfigName || name == CurveName)) {
			return lost(name + " is there, a checkpoint is not")
		}
	}
	return nil
}

// whatDiffers names the settings in which the run in the directory differs from cell. err
// is that of reading them.
func whatDiffers(there *config.Cell, err error, cell *config.Cell) string {
	if err != nil {
		return fmt.Sprintf("its configuration cannot be read: %v", err)
	}
	return cmp.Or(strings.Join(config.Differences(there, cell), "; "), "configuration "+there.Hash())
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
