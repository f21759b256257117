package train

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/datasets/tfrecord"
	"memobench/models"
)

// elsewhere is the toy model with momentum as a model of another process, which may lack something
// when it is restored.
type elsewhere struct {
	models.Model
	forgets string
	steps   int
}

type elsewhereConfig struct {
	Forgets string `yaml:"forgets" doc:"what it forgets"`
}

func (*elsewhereConfig) Validate() error { return nil }

func init() {
	models.Register("elsewhere", "Elsewhere", "the toy model in another process", func() *elsewhereConfig { return new(elsewhereConfig) },
		func(c *elsewhereConfig, shape datasets.Shape, t models.Training, seed uint64) (*elsewhere, error) {
			entry, _ := models.Lookup("toy")
			config := entry.Defaults().(*toyConfig)
			config.Momentum = 0.9
			m, err := entry.New(models.Build{Config: config, Shape: shape, Training: t, Seed: seed, Threads: 1})
			return &elsewhere{m, c.Forgets, 0}, err
		})
}

func (m *elsewhere) Train(b *datasets.Batch) (models.StepStats, error) {
	m.steps++
	s, err := m.Model.Train(b)
	if m.forgets == "generator" && m.steps == 1 {
		s.Loss *= 1.01
	}
	return s, err
}

// State is a copy, as that of another process.
func (m *elsewhere) State() models.State {
	st := m.Model.State()
	for i := range st.Tensors {
		st.Tensors[i].F32 = slices.Clone(st.Tensors[i].F32)
	}
	return st
}

func (m *elsewhere) Restore(st models.State) error {
	for _, t := range st.Tensors {
		if m.forgets == "moments" && t.Role == models.Optimizer || m.forgets == "weights" && t.Role == models.Weight {
			clear(t.F32)
		}
	}
	return m.Model.Restore(st)
}

func (m *elsewhere) Err() error   { return nil }
func (m *elsewhere) Close() error { return nil }

// Before the first step, a model in another process must resume as if it had not ended. What it
// lacks is named, and a good one trains as if nothing had been checked.
func TestExternalModelsAreCheckedBeforeTraining(t *testing.T) {
	for forgets, want := range map[string]string{
		"moments":   "train: W of a restored model differs after a step by ",
		"weights":   "predict: the scores of a restored model differ by ",
		"generator": "train: the loss of a restored model is ",
	} {
		cell := toyCell(t)
		cell.Model, cell.Config = "elsewhere", &elsewhereConfig{forgets}
		dir := t.TempDir()
		_, err := Run(context.Background(), cell, Options{Dir: dir})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", forgets, err, want)
		}
		for _, e := range must.Get(os.ReadDir(dir))(t) {
			if e.Name() != lockName {
				t.Errorf("%s: the directory has %s", forgets, e.Name())
			}
		}
	}
	cell := toyCell(t)
	cell.Model, cell.Config = "elsewhere", new(elsewhereConfig)
	rec := mustRun(t, cell, Options{Dir: t.TempDir()})
	own := mustRun(t, toyCell(t, "soft.momentum=0.9"), Options{Dir: t.TempDir()})
	if d := cmp.Diff(own.Evaluation.Loss, rec.Evaluation.Loss); d != "" {
		t.Errorf("a check changes the result:\n%s", d)
	}
}

// A curve that is removed during a run is written again, and that is said.
func TestARemovedCurveIsSaid(t *testing.T) {
	dir, removed := t.TempDir(), false
	w := new(watcher)
	w.stepped = func(u Update) {
		if u.Step == 100 && !removed {
			removed = true
			if err := os.Remove(filepath.Join(dir, record.CurveName)); err != nil {
				t.Error(err)
			}
		}
	}
	rec := mustRun(t, toyCell(t), watched(Options{Dir: dir}, w))
	if text := strings.Join(w.warned, ""); !strings.Contains(text, "curve.jsonl was changed or removed during the run") {
		t.Errorf("warned %q", w.warned)
	}
	must.Do(t, rec.CheckFile(dir, record.CurveName))
}

// TensorBoard reads all events files of a directory. After a kill and a restart they have each step of
// the curve once. The reader follows the format's description: records of a length (8 bytes), its
// checksum (4), an Event and its checksum (4); field 2 of an Event is its step, a varint, field 5 its
// summary.
func TestEventsHaveEachStepOnceAfterAKill(t *testing.T) {
	source, dir, copied := t.TempDir(), t.TempDir(), false
	w := &watcher{stepped: func(u Update) {
		if u.Step == 131 && !copied {
			copied = true // the last checkpoint is of step 100, the last evaluation of step 120
			if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
				t.Error(err)
			}
		}
	}}
	run := func(dir string, resume bool) {
		t.Helper()
		mustRun(t, toyCell(t), watched(Options{Dir: dir, CheckpointSteps: 50, Resume: resume, TensorBoard: true}, w))
	}
	run(source, false)
	run(dir, true)
	var steps []uint64
	for _, file := range must.Get(filepath.Glob(filepath.Join(dir, tfrecord.EventsPrefix+"*")))(t) {
		for data := must.Get(os.ReadFile(file))(t); len(data) > 0; {
			n := binary.LittleEndian.Uint64(data)
			event := data[12 : 12+n]
			data = data[12+n+4:]
			step, length := binary.Uvarint(event[10:]) // behind the time: a key and 8 bytes, and a key
			if event[10+length] == 5<<3|2 {
				steps = append(steps, step)
			}
		}
	}
	var want []uint64
	for step := uint64(30); step <= 300; step += 30 {
		want = append(want, step)
	}
	if d := cmp.Diff(want, steps); d != "" {
		t.Errorf("steps (-want +got):\n%s", d)
	}
}
