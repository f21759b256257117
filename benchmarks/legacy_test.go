package benchmarks

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "memobench/datasets/shortestpath"
	"memobench/models/dnc"
	"memobench/models/ut"
)

// Files of runs that were written before a setting existed mean what it was then: a
// recorded run's config.yaml and its checkpoint's cell. A preset means the default.
func TestFilesWrittenBeforeASettingExisted(t *testing.T) {
	forms := func(c Cell) (answers, feedback string) {
		switch m := c.Config.(type) {
		case *dnc.Config:
			return m.Answers, m.Feedback
		case *ut.Config:
			return m.Answers, m.Feedback
		}
		t.Fatalf("a %T", c.Config)
		return
	}
	only := func(p *Preset, err error) Cell {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return p.Cells()[0]
	}
	for model, now := range map[string]string{"dnc": dnc.AnswersPonder, "ut": ut.AnswersAppend} {
		files, err := filepath.Glob(filepath.Join("recorded", "reproduction", "sp*-"+model+"-*", ConfigName))
		if err != nil || files == nil {
			t.Fatalf("no recorded run of %s (%v)", model, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			c := only(ParsePreset(file, text))
			if answers, _ := forms(c); answers != dnc.AnswersRequery {
				t.Errorf("%s: answers %q", file, answers)
			}
			if !strings.HasSuffix(filepath.Dir(file), "-"+c.Hash()[:8]) {
				t.Errorf("%s is of another hash now, %s", file, c.Hash())
			}
			if text, err = c.YAML(); err != nil {
				t.Fatal(err)
			}
			if again, _ := forms(only(ParsePreset(file, text))); again != dnc.AnswersRequery {
				t.Errorf("%s: answers %q when written and read again", file, again)
			}
		}
		text := "experiments: [{task: sp10-2-2, seeds: [0], protocol: {batch_size: 1, steps: 1, evaluate_every: 1, validation_per_kind: 1, test_per_kind: 1}, models: [{model: " + model + ", config: {feedback: truth}}]}]"
		c := only(ParsePreset("new", []byte(text)))
		if answers, _ := forms(c); answers != now {
			t.Errorf("a preset without the setting: answers %q, want %q", answers, now)
		}
		data, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		read := func(change func(config map[string]any)) Cell {
			var file map[string]any
			if err := json.Unmarshal(data, &file); err != nil {
				t.Fatal(err)
			}
			change(file["config"].(map[string]any))
			text, err := json.Marshal(file)
			if err != nil {
				t.Fatal(err)
			}
			var c Cell
			if err := json.Unmarshal(text, &c); err != nil {
				t.Fatal(err)
			}
			return c
		}
		if answers, _ := forms(read(func(map[string]any) {})); answers != now {
			t.Errorf("a cell of today: answers %q, want %q", answers, now)
		}
		answers, feedback := forms(read(func(config map[string]any) { delete(config, "answers") }))
		if answers != dnc.AnswersRequery || feedback != "truth" {
			t.Errorf("a cell without the setting: answers %q and feedback %q", answers, feedback)
		}
	}
}
