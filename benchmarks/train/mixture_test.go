package train

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/datasets/must"
)

func TestAdaptiveWeightsFollowTheErrors(t *testing.T) {
	kinds := []string{"a", "b", "c"}
	at := func(correct ...int) record.Point {
		var p record.Point
		for i, n := range correct {
			p.Kinds = append(p.Kinds, record.Kind{Name: kinds[i], Total: 100, Correct: n})
		}
		return p
	}
	first, err := study.Adaptive.Weights(kinds, nil)
	if err != nil || !slices.Equal(first, []float64{6, 6, 6}) {
		t.Errorf("weights before the first evaluation: %v (%v)", first, err)
	}
	errs := adapt(nil, at(100, 50, 80)) // averages 0.5, 0.75, 0.6
	errs = adapt(errs, at(100, 100, 100))
	errs = adapt(errs, at(100, 100, 96)) // 0.125, 0.1875, 0.17
	got, _ := study.Adaptive.Weights(kinds, errs)
	for k, want := range []float64{1.25, 1.875, 1.7} {
		if d := got[k] - want; d > 1e-12 || d < -1e-12 {
			t.Errorf("weight of %s is %v, want %v", kinds[k], got[k], want)
		}
	}
	for range 10 {
		errs = adapt(errs, at(100, 0, 100))
	}
	got, _ = study.Adaptive.Weights(kinds, errs)
	if got[0] != 0.3 || got[1] != 6 {
		t.Errorf("weights %v, want the bounds 0.3 and 6", got)
	}
}

func TestWrongCurriculaAreRefusedBeforeTheDirectoryIsTouched(t *testing.T) {
	for override, want := range map[string]string{
		"mixture=lwo:2":                                                            `did you mean "low"`,
		"mixture=low:0,high:0":                                                     "every kind has weight 0",
		"soft.phases=[{steps: 31}]":                                                "phase 1: steps: 31, want a multiple of protocol.evaluate_every (30)",
		"soft.phases=[{steps: 300}]":                                               "want less than protocol.steps (300)",
		"soft.phases=[{steps: 150, attempts: 2, until: 90}]":                       "take up to 300 steps",
		"soft.phases=[{steps: 30, kinds: [hihg]}]":                                 `did you mean "high"`,
		"soft.phases=[{steps: 30, below: 50}]":                                     "no phase before the first",
		"soft.phases=[{steps: 30, attempts: 2}]":                                   "attempts: 2, want more than 1 only with until or until_loss",
		"soft.phases=[{steps: 30, config: {momntum: '1'}}]":                        `did you mean "momentum"`,
		"soft.phases=[{steps: 30, config: {momentum: '3'}}]":                       "momentum: 3",
		"soft.phases=[{steps: 30, keep_optimizer: true}]":                          "begins with initial weights",
		"soft.phases=[{steps: 30, training: {phases: '[]'}}]":                      "a phase has no phases",
		"soft.phases=[{steps: 30}, {steps: 30, until: 101}]":                       "phase 2: until: 101, want 0 to 100",
		"soft.phases=[{steps: 30, training: {learning_rate: fast}}]":               "learning_rate = fast: want a number",
		"soft.phases=[{steps: 30, task: {blow: 2}}]":                               `task.blow: want settings that a phase can change: words, below`,
		"soft.phases=[{steps: 30}, {steps: 30, task: {words: 4}}]":                 "phase 2: task toy: the data do not fit the model: classes or words 4",
		"soft.phases=[{steps: 30, task: {note: a}}]":                               "task.note: want settings that a phase can change: words, below",
		"soft.phases=[{steps: 30, task: {below: 2}, until: 90}]":                   "until: validation has the questions of the main phase",
		"soft.phases=[{steps: 30, until_loss: -1}]":                                "phase 1: until_loss: -1, want 0 or more",
		"soft.phases=[{steps: 30, until_loss: .inf}]":                              "phase 1: until_loss: +Inf, want 0 or more",
		"soft.phases=[{steps: 30, task: {below: 2}, kinds: [low]}]":                "neither kinds nor below",
		"soft.phases=[{steps: 30, training: {questions: '2', empty_rows: '0.1'}}]": "training.questions: 2, want 1 with empty_rows or max_offset",
		"soft.questions=2":                                                         "task toy: training.questions = 2: want 1 for a task",
		"soft.phases=[{steps: 30, training: {questions: '2'}}]":                    "task toy: training.questions = 2: want 1 for a task",
	} {
		dir := t.TempDir() + "/run"
		_, err := Run(context.Background(), toyCell(t, override), Options{Dir: dir})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", override, err, want)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: the directory was made", override)
		}
	}
}

// The first attempt forgets the kinds that it does not train on; the second still trains
// on the same kinds.
func TestSecondAttemptTrainsOnTheKindsOfTheFirst(t *testing.T) {
	cell := toyCell(t,
		"soft.phases=[{steps: 30, kinds: [low]}, {steps: 30, below: 50, restart: true, until: 100, attempts: 2, training: {learning_rate: '0.0001'}}]")
	phases := mustRun(t, cell, Options{Dir: t.TempDir()}).Training.Phases
	if len(phases) != 4 {
		t.Fatalf("phases %+v, want four attempts", phases)
	}
	for _, p := range phases[1:3] {
		if p.Phase != 2 || !slices.Equal(p.Kinds, []string{"high"}) {
			t.Errorf("attempt %d at the second phase: %+v, want kind high", p.Attempt, p)
		}
	}
}

func TestPhasesAreRecorded(t *testing.T) {
	cell := toyCell(t, "mixture=adaptive",
		"soft.phases=[{steps: 60, kinds: [low], until: 100}, {steps: 30, below: 100}, {steps: 30, restart: true, until: 100, attempts: 2, training: {learning_rate: '0.0001'}}]")
	dir := t.TempDir()
	w := new(watcher)
	rec := mustRun(t, cell, Options{Dir: dir, Progress: func(study.Cell) Progress { return w }})
	if want := []string{"phase 1 of 4, attempt 1: up to 60 steps on low, until 100 % on validation", "phase 2 of 4, attempt 1: up to 30 steps on high",
		"phase 3 of 4, attempt 1: up to 30 steps learning_rate=0.0001, until 100 % on validation",
		"phase 3 of 4, attempt 2: up to 30 steps learning_rate=0.0001, until 100 % on validation", "main phase"}; !slices.Equal(w.phases, want) {
		t.Errorf("phases %q", w.phases)
	}
	written := filepath.Join(dir, record.FileName)
	again := must.Get(must.Get(record.ReadFile(written))(t).Marshal())(t)
	if d := cmp.Diff(string(must.Get(os.ReadFile(written))(t)), string(again)); d != "" {
		t.Errorf("the record (-written +read and written):\n%s", d)
	}
	phases := rec.Training.Phases
	if len(phases) != 5 {
		t.Fatalf("phases %+v, want five attempts", phases)
	}
	if p := phases[0]; p.Phase != 1 || p.First != 1 || p.Last != 30 || !slices.Equal(p.Kinds, []string{"low"}) || p.Accuracy == nil || *p.Accuracy != 1 {
		t.Errorf("first phase %+v, want one that learns kind low by step 30", p)
	}
	if p := phases[1]; p.Phase != 2 || p.First != 31 || p.Last != 60 || !slices.Equal(p.Kinds, []string{"high"}) {
		t.Errorf("second phase %+v, want kind high, which was not trained before", p)
	}
	for i, p := range phases[2:4] {
		if p.Phase != 3 || p.Attempt != i+1 || p.Last-p.First != 29 || *p.Accuracy == 1 {
			t.Errorf("attempt %d at the third phase: %+v", i+1, p)
		}
	}
	if p := phases[4]; p.Phase != 4 || p.First != 121 || p.Last != 300 {
		t.Errorf("main phase %+v", p)
	}
	text := strings.Join(rec.Caveats.Texts(), "\n")
	for _, want := range []string{"adaptive mixture", "curriculum: phase 1 of up to 60 steps on low", "phase 2 of up to 30 steps on kinds below 100 %", "phase 3 of up to 60 steps"} {
		if !strings.Contains(text, want) {
			t.Errorf("labels %q lack %q", rec.Caveats.Texts(), want)
		}
	}
}

// A phase with other settings of the task trains on its questions, and is evaluated on
// those of the main phase.
func TestPhaseTrainsOnOtherQuestions(t *testing.T) {
	cell := toyCell(t, "soft.phases=[{steps: 60, task: {below: 2}}]")
	dir := t.TempDir()
	rec := mustRun(t, cell, Options{Dir: dir})
	points := must.Get(record.ReadCurve(filepath.Join(dir, record.CurveName)))(t)
	low := func(p record.Point) float64 { return float64(p.Kinds[0].Correct) / float64(p.Kinds[0].Total) }
	if got := low(points[1]); points[1].Step != 60 || got < 0.4 || got > 0.6 {
		t.Errorf("step %d: %v of the lower words are right, want the two of five that were trained on", points[1].Step, got)
	}
	if got := low(points[len(points)-1]); got != 1 {
		t.Errorf("after the main phase %v of the lower words are right, want all", got)
	}
	if text := strings.Join(rec.Caveats.Texts(), "\n"); !strings.Contains(text, "phase 1 of up to 60 steps on questions with below=2") {
		t.Errorf("labels %q", text)
	}
}

// A phase ends at the first evaluation before which its training loss was low enough, whatever
// questions it has; a target that is not reached lets it use all its steps.
func TestPhaseEndsByItsTrainingLoss(t *testing.T) {
	cell := toyCell(t, "soft.phases=[{steps: 90, task: {below: 2}, until_loss: 0.3}, {steps: 60, until: 1, until_loss: 1e-6}, {steps: 30, restart: true, until_loss: 1e-6, attempts: 2}]")
	dir := t.TempDir()
	rec := mustRun(t, cell, Options{Dir: dir})
	points := must.Get(record.ReadCurve(filepath.Join(dir, record.CurveName)))(t)
	reached := slices.IndexFunc(points, func(p record.Point) bool { return p.TrainLoss <= 0.3 })
	phases := rec.Training.Phases
	if reached != 1 || phases[0].Last != points[reached].Step || *phases[0].TrainLoss != points[reached].TrainLoss {
		t.Errorf("first phase %+v, curve %+v, want its end at the second evaluation, the first with a loss of at most 0.3", phases[0], points)
	}
	for i, steps := range []int{60, 30, 30} { // two attempts at the third
		if p := phases[1+i]; p.Last-p.First+1 != steps {
			t.Errorf("phase %+v, want all its %d steps", p, steps)
		}
	}
	if text := strings.Join(rec.Caveats.Texts(), "\n"); !strings.Contains(text, "with below=2, until the training loss is at most 0.3") {
		t.Errorf("labels %q", text)
	}
}

// Steps of a later phase may take less time than those of an earlier one: speed and the time
// left are those of the present phase.
func TestSpeedIsThatOfThePhase(t *testing.T) {
	var slow, fast Update
	w := &watcher{stepped: func(u Update) {
		if u.Step <= 60 {
			slow = u
			time.Sleep(5 * time.Millisecond)
			return
		}
		fast = u
	}}
	mustRun(t, toyCell(t, "soft.phases=[{steps: 60}]"), watched(Options{Dir: t.TempDir()}, w))
	if fast.PerSecond < 10*slow.PerSecond { // with the steps of both phases it is at most five times
		t.Errorf("%.0f examples a second, after %.0f while a step took 5 ms", fast.PerSecond, slow.PerSecond)
	}
}
