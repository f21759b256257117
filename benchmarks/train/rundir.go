package train

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/evaluate/trace"
	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/datasets/binfile"
	"memobench/datasets/tfrecord"
	"memobench/models"
	"memobench/models/checkpoint"
)

// Names of the files in a run's directory; see the package comment.
const (
	configName     = "config.yaml"
	checkpointName = evaluate.CheckpointName
)

// runFiles are all files of a finished run outside of its checkpoint. record.json is
// first, so that a run of which only some files were removed does not look finished.
var runFiles = []string{record.FileName, record.BenchName, record.PredictionsName, record.CurveName,
	evaluate.WeightsName, configName}

// Why a run may not use its directory. Resume keeps a finished run and continues an unfinished
// one; Overwrite replaces it.
var (
	errLocked     = errors.New("another process works on it")
	errFinished   = errors.New("it holds this run, finished: --resume keeps it, --overwrite runs it again")
	errUnfinished = errors.New("it holds a part of this run: --resume continues it, --overwrite starts anew")
	errOtherRun   = errors.New("it holds another run: name another directory with --out, or remove it with --overwrite")
	errOtherData  = errors.New("it holds this run on other data: name those of training with --data, another directory with --out, or add --overwrite")
	errForeign    = errors.New("it holds files that are not a run's: name another directory with --out")
	errLost       = errors.New("it holds a part of a run that cannot be continued: name another directory with --out, or remove it with --overwrite")
)

func refuse(dir string, reason error, detail string) error {
	if detail != "" {
		detail = " (" + detail + ")"
	}
	return fmt.Errorf("directory %s: %w%s", dir, reason, detail)
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
		return nil, fmt.Errorf("no directory for the run; name one with --out")
	}
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, fmt.Errorf("directory of the run: %w", err)
	}
	if err := checkFiles(path); err != nil {
		return nil, err
	}
	// The file stays when the run ends: if it were removed, a process that has it open
	// could lock a file that is no longer in the directory.
	lock, err := lock(path, name)
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

// checkData refuses a directory with a run on data of another hash. It says what the data are
// now where they are not the paper's.
func (d *runDir) checkData(task, hash string, now datasets.Spec) error {
	if hash == now.Hash {
		return nil
	}
	detail := fmt.Sprintf("hash %s, now %s", hash, now.Hash)
	entry, _ := datasets.Lookup(task)
	if entry.DataEnv == "" {
		return refuse(d.path, errOtherRun, "a run on other data: "+detail)
	}
	for _, c := range now.Caveats {
		if c.Kind == datasets.SimulatedData || c.Kind == datasets.SubstituteData {
			detail += ", " + c.Text
		}
	}
	return refuse(d.path, errOtherData, detail+"; --data may also be given as $"+entry.DataEnv)
}

// checkFiles refuses a directory with files that no run writes.
func checkFiles(path string) error {
	entries, err := os.ReadDir(path)
	if err != nil {
		return fmt.Errorf("directory of the run: %w", err)
	}
	for _, e := range entries {
		name := e.Name()
		own := strings.HasPrefix(name, ".") || name == lockName || name == checkpointName || slices.Contains(runFiles, name) ||
			strings.HasSuffix(name, trace.Suffix) || strings.HasPrefix(name, tfrecord.EventsPrefix)
		own = own && e.Type()&os.ModeSymlink == 0 // what it leads to is of another
		if !own || e.IsDir() != (name == checkpointName) && !strings.HasPrefix(name, ".") {
			return refuse(path, errForeign, name)
		}
	}
	return nil
}

// admit decides whether cell may run in the directory on the data. It returns the record of a
// finished run, which is kept, or the checkpoint to continue from, if there is one.
func (d *runDir) admit(cell *study.Cell, data datasets.Spec, o *Options) (*record.Record, *checkpoint.Checkpoint, error) {
	if o.Overwrite {
		return nil, nil, d.clear()
	}
	rec, err := record.ReadFile(d.file(record.FileName))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, nil, err
	}
	if rec != nil && rec.Identity.Cell != cell.Hash() {
		other, err := study.CellOf(rec)
		return nil, nil, refuse(d.path, errOtherRun, whatDiffers(other, err, cell))
	}
	if rec != nil && rec.Status.Finished() {
		if !o.Resume {
			return nil, nil, refuse(d.path, errFinished, "")
		}
		return rec, nil, d.checkData(cell.Task, rec.Dataset.Hash, data)
	}
	saved, err := checkpoint.Load(d.file(checkpointName))
	switch {
	case errors.Is(err, checkpoint.ErrNone):
		return nil, nil, d.admitWithoutCheckpoint()
	case err != nil:
		return nil, nil, refuse(d.path, errLost, err.Error())
	case saved.CellHash != cell.Hash():
		var other study.Cell
		err := other.UnmarshalJSON(saved.Config)
		return nil, nil, refuse(d.path, errOtherRun, whatDiffers(&other, err, cell))
	case !o.Resume:
		return nil, nil, refuse(d.path, errUnfinished, fmt.Sprintf("at step %d of %d", saved.Step, cell.Protocol.Steps))
	}
	return nil, saved, d.checkData(cell.Task, saved.DatasetHash, data)
}

// admitWithoutCheckpoint accepts a directory without a checkpoint if it is empty, or holds what
// a run leaves that is killed before its first checkpoint: its configuration, and the beginning
// of its curve. These are replaced.
func (d *runDir) admitWithoutCheckpoint() error {
	for _, name := range runFiles {
		if _, err := os.Stat(d.file(name)); err == nil && name != configName && name != record.CurveName {
			return refuse(d.path, errLost, name+" is there, a checkpoint is not")
		}
	}
	return nil
}

// whatDiffers names the settings in which another run differs from cell; err is of reading it.
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
	return errors.Join(removeAll(d.file("*"+trace.Suffix)), removeAll(d.file(eventFiles)), checkpoint.Remove(d.file(checkpointName)))
}

func removeAll(pattern string) error {
	files, err := filepath.Glob(pattern)
	for _, file := range files {
		err = errors.Join(err, os.Remove(file))
	}
	return err
}

// lockName is the name of a directory's lock.
const lockName = "lock"

// lock locks a directory against other processes until the returned file is closed. The
// content of the lock says which process has it, and with work what it does. On a file system
// without locks it is always taken.
func lock(dir, work string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	ok, err := binfile.TryLock(f)
	if err == nil && !ok {
		text := make([]byte, 1000)
		n, _ := f.ReadAt(text, 0) // empty while its holder starts
		err = refuse(dir, errLocked, strings.Join(strings.Fields(string(text[:n])), " "))
	}
	if err == nil {
		err = f.Truncate(0)
	}
	if err == nil {
		host, _ := os.Hostname()
		_, err = fmt.Fprintf(f, "process %d on %s: %s, since %s\n", os.Getpid(), host, work, time.Now().UTC().Format(time.RFC3339))
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// CPUSeconds returns the CPU time that this process has used so far, and the time that
// models in other processes took for their answers.
func CPUSeconds() float64 {
	return processSeconds() + time.Duration(models.TimeElsewhere.Load()).Seconds()
}
