package train

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"memobench/benchmarks/study"
	"memobench/datasets/must"
)

func toyCells(t *testing.T) []study.Cell {
	t.Helper()
	p := must.Get(study.Parse("toy", []byte(toyPreset)))(t)
	return p.Cells()
}

// begun has the cells that were run, and not kept.
type begun struct{ cells sync.Map }

func (b *begun) watch(c study.Cell) Progress {
	return &watcher{stepped: func(Update) { b.cells.Store(c.Hash(), true) }}
}

func (b *begun) has(c study.Cell) bool {
	_, ok := b.cells.Load(c.Hash())
	return ok
}

func TestRunAllGoesOnAfterAFailure(t *testing.T) {
	cells := toyCells(t)
	bad := toyCell(t, "soft.momentum=3")
	cells = append(cells[:1:1], append([]study.Cell{bad}, cells[1:]...)...)
	dir := t.TempDir()
	for round, jobs := range []int{2, 1} {
		run := &begun{}
		outcomes, err := RunAll(context.Background(), cells, Options{Dir: dir, Jobs: jobs, Progress: run.watch})
		if err == nil || !strings.Contains(err.Error(), "1 of 5 runs failed") || !strings.Contains(err.Error(), "momentum") {
			t.Fatalf("error %v, want one failure of five", err)
		}
		for i, o := range outcomes {
			if o.Cell.Hash() != cells[i].Hash() {
				t.Errorf("outcome %d is of another cell", i)
			}
			if i == 1 {
				continue
			}
			if o.Err != nil || o.Record.Identity.Cell != cells[i].Hash() {
				t.Errorf("outcome %d: %+v", i, o)
			}
			if run.has(o.Cell) != (round == 0) {
				t.Errorf("round %d, outcome %d: run is %v", round, i, run.has(o.Cell))
			}
		}
	}
}

func TestRunAllInterruptedThenWhole(t *testing.T) {
	cells := toyCells(t)
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	stop := func(c study.Cell) Progress {
		return &watcher{stepped: func(u Update) {
			if c.Name == "stiff" && u.Step == 50 {
				cancel()
			}
		}}
	}
	outcomes, err := RunAll(ctx, cells, Options{Dir: dir, Progress: stop})
	var stopped *Interrupted
	if !errors.As(err, &stopped) || stopped.Step != 50 || !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want an interruption at step 50", err)
	}
	if outcomes[0].Record == nil || outcomes[1].Record != nil || outcomes[2].Record != nil {
		t.Errorf("outcomes %+v", outcomes)
	}
	again := &begun{}
	outcomes = must.Get(RunAll(context.Background(), cells, Options{Dir: dir, Progress: again.watch}))(t)
	if again.has(cells[0]) || !again.has(cells[1]) || outcomes[1].Record.Times.Sessions != 2 || outcomes[3].Record == nil {
		t.Errorf("outcomes %+v", outcomes)
	}
}

func TestRunAllRefusesTheSameRunTwice(t *testing.T) {
	c := toyCell(t)
	if _, err := RunAll(context.Background(), []study.Cell{c, c}, Options{Dir: t.TempDir()}); err == nil {
		t.Error("accepted")
	}
}

func TestRunAllOpensTheDataOfAllCellsFirst(t *testing.T) {
	for name, c := range map[string]struct {
		changes []string
		want    []string
		setting bool
	}{
		"data":       {[]string{"words=1"}, []string{"task toy: ", "words = 1"}, true},
		"kind":       {[]string{"early_stop={accuracy: {hgih: 90}, evaluations: 1}"}, []string{"task toy: protocol.early_stop.accuracy", `did you mean "high"?; --set early_stop=off trains all steps`}, true},
		"questions":  {[]string{"test_per_kind=0"}, []string{"task toy: protocol.test_per_kind = 0: test split: no questions"}, true},
		"other task": {[]string{"task.task=other"}, []string{"task toy: its settings are those of another task, other"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			// Last, and twice: told once.
			bad := toyCell(t, c.changes...)
			again := bad
			again.Seed++
			dir := t.TempDir()
			begun := func(c study.Cell) Progress {
				t.Errorf("%s was begun", c.String())
				return &watcher{}
			}
			outcomes, err := RunAll(context.Background(), append(toyCells(t), bad, again), Options{Dir: dir, Progress: begun})
			if err == nil || outcomes != nil {
				t.Fatalf("outcomes %v, error %v, want no run", outcomes, err)
			}
			for _, want := range append(c.want, "nothing was run: ") {
				if strings.Count(err.Error(), want) != 1 {
					t.Errorf("error %q: want %q once", err, want)
				}
			}
			var setting *study.SettingError
			if errors.As(err, &setting) != c.setting {
				t.Errorf("a setting's error: %v, want %v", !c.setting, c.setting)
			}
			if left, _ := os.ReadDir(dir); len(left) > 0 {
				t.Errorf("left %v", left)
			}
		})
	}
}

// Check refuses the same settings as Run, and ignores missing data.
func TestCheckRefusesWhatRunRefuses(t *testing.T) {
	for change, want := range map[string]string{
		"soft.hops=4":               "",
		"words=1":                   "words = 1",
		"mixture=lwo:2":             `did you mean "low"`,
		"soft.phases=[{steps: 31}]": "want a multiple of protocol.evaluate_every",
		"soft.phases=[{steps: 30, kinds: [hihg]}]":  `did you mean "high"`,
		"soft.phases=[{steps: 30, config: {a: b}}]": `unknown key "a"`,
	} {
		err := Check(t.Context(), []study.Cell{toyCell(t, change)}, "")
		_, ran := Run(t.Context(), toyCell(t, change, "steps=60"), Options{Dir: t.TempDir()})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) || (ran == nil) != (err == nil) {
			t.Errorf("%s: check %v, run %v, want %q", change, err, ran, want)
		}
	}
	for settings, want := range map[string]string{
		"batch_size: 12": "", "batch_size: 10": "batch_size = 10: want a multiple of training.questions (4)",
		"batch_size: 12, mixture: 'A-B:2'": "task pai3: training.questions = 4: want 1 with",
	} {
		p := must.Get(study.Parse("asked", []byte("experiments: [{task: pai3, seeds: [0], protocol: {steps: 1, evaluate_every: 1, validation_per_kind: 4, test_per_kind: 4, "+settings+"}, "+
			"runs: [{model: emn, training: {optimizer: adam, learning_rate: 1e-3, questions: 4}}]}]")))(t)
		if err := Check(t.Context(), p.Cells(), ""); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", settings, err, want)
		}
	}
	p := must.Get(study.Parse("files", []byte(`experiments: [{task: babi, settings: {source: files}, seeds: [0],
  protocol: {batch_size: 1, steps: 1, evaluate_every: 1}, runs: [{model: emn, training: {optimizer: adam, learning_rate: 1e-3}}]}]`)))(t)
	t.Chdir(t.TempDir())
	t.Setenv("MEMOBENCH_BABI", "")
	if err := Check(t.Context(), p.Cells(), ""); err != nil {
		t.Errorf("without data: %v", err)
	}
}

// A run that another process works on fails, and says what that does; the others are run.
func TestRunAllSaysWhatAnotherProcessDoes(t *testing.T) {
	cells, dir := toyCells(t), t.TempDir()
	held := must.Get(openDir(filepath.Join(dir, cells[2].Dir()), cells[2].String()))(t)
	outcomes, err := RunAll(t.Context(), cells, Options{Dir: dir})
	want := fmt.Sprintf("directory %s: another process works on it (process %d", held.path, os.Getpid())
	if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "toy soft seed 1") || outcomes[3].Record == nil {
		t.Errorf("error %v, want %s", err, want)
	}
	held.close()
	must.Get(RunAll(t.Context(), cells, Options{Dir: dir}))(t)
}

func TestRunAllStoppedBeforeItsDataAreOpened(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := RunAll(ctx, []study.Cell{toyCell(t, "words=1")}, Options{Dir: t.TempDir()})
	var stopped *Interrupted
	if !errors.As(err, &stopped) {
		t.Errorf("error %v, want an interruption", err)
	}
}
