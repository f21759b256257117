package figure

import (
	"bytes"
	"fmt"
	"html"
	"image/png"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"

	"memobench/benchmarks/evaluate/trace"
	"memobench/benchmarks/record"
	"memobench/benchmarks/scaling/slope"
	"memobench/datasets"
	"memobench/datasets/must"
)

// chain returns a run on chains of 3 with a curve: correct of 10 indirect questions by point.
func chain(model, title string, seed uint64, correct ...int) Run {
	kinds := func(n int) []record.Kind {
		return []record.Kind{{Name: "A-B", Total: 10, Correct: 9}, {Name: "B-C", Total: 10, Correct: 8}, {Name: "A-C", Total: 10, Correct: n}}
	}
	r := &record.Record{Identity: record.Identity{Study: "quick", Task: "pai3", Name: strings.ToLower(title), Title: title, Model: model, Seed: seed}}
	r.Dataset.Task = "pai3"
	r.Dataset.Presentation = datasets.Presentation{Chance: 50}
	r.Dataset.Presentation.Groups = append(r.Dataset.Presentation.Groups, struct {
		Name  string   `json:"name" doc:"such as direct"`
		Kinds []string `json:"kinds" doc:"its kinds, in order"`
	}{"direct", []string{"A-B", "B-C"}})
	r.Evaluation.Kinds = kinds(correct[len(correct)-1])
	r.Times.CPUSeconds, r.Times.WallSeconds = 120, 60
	r.Model.Config = map[string]any{"halting": "act"}
	run := Run{Record: r}
	for i, n := range correct {
		run.Points = append(run.Points, record.Point{Step: 100 * (i + 1), Seconds: float64(10 * (i + 1)), Kinds: kinds(n), Hops: new(float64(i + 1))})
	}
	return run
}

// shifted returns evaluations of a run on other values of a setting.
func shifted(run Run, setting string, values ...string) []Run {
	var list []Run
	for _, v := range values {
		r := *run.Record
		r.Shift = &record.Shift{Setting: setting, Trained: values[0], Evaluated: v}
		list = append(list, Run{Record: &r})
	}
	return list
}

func systems() []costs {
	c := costs{System: "emn4", Title: "EMN, 4 hops"}
	for _, n := range []int{64, 128, 256, 512, 1024} {
		p := costPoint{Rows: n, HeldBytes: float64(1000 * n), Operations: float64(n * n)}
		for round := range 3 {
			p.CPU = append(p.CPU, float64(1+round)*(3e5+math.Pow(float64(n), 2)))
		}
		c.Points = append(c.Points, p)
	}
	return []costs{c}
}

func overviewPanels() []Panel {
	answers := func(paper float64, seeds ...float64) []Answer {
		return []Answer{{Model: "memo", Title: "MEMO", Seeds: seeds, Paper: paper}, {Model: "ut", Title: "UT", Paper: math.NaN()}}
	}
	return []Panel{
		{Title: "Chains", Questions: []Question{{Name: "3 items, A-C", Guess: 50, Control: 60, Answers: answers(98, 99, 97)}}},
		{Title: "bAbI", Axis: "mean error, %", Top: 6, Questions: []Question{{Name: "20 tasks", Answers: answers(0.2, 7.5)}}},
		{Title: "not run", Questions: []Question{{Name: "q", Answers: answers(50)}}},
	}
}

// all draws every kind of figure.
func all() []*Figure {
	runs := []Run{chain("memo", "MEMO", 0, 4, 6), chain("memo", "MEMO", 1, 6, 10, 10), chain("emn", "EMN, 4 hops", 0, 2, 3)}
	hop := shifted(runs[0], "length", "3", "4")
	for _, r := range hop {
		r.Record.Shift.Hops = &record.HopsShift{Setting: "hops", Trained: 3, Evaluated: 8}
	}
	moved := slices.Concat(shifted(runs[0], "length", "3", "4"), shifted(runs[2], "length", "3", "4"), hop, shifted(runs[0], "combinations", "off", "held-out"))
	tr := &trace.Trace{Query: "A-C: 1?", Rows: []string{"1 2", "3 4", "5 6"}, Answers: []trace.Answer{{Hops: [][][]float64{{{0.97, 0.03, 0}}}}}}
	return slices.Concat([]*Figure{Overview(overviewPanels()), Hops(runs), Cost(runs), scalingFigure("infer", systems())}, Training(runs), Generalization(moved), []*Figure{Attention(tr)})
}

func TestFiguresAreDrawnTheSameEachTime(t *testing.T) {
	first, second := all(), all()
	var ids []string
	for i, f := range first {
		ids = append(ids, f.ID)
		svg := must.Get(f.SVG())(t)
		if again := must.Get(second[i].SVG())(t); !bytes.Equal(svg, again) {
			t.Errorf("%s: another SVG the second time", f.ID)
		}
		if !bytes.Contains(svg, []byte("<title>"+html.EscapeString(f.Title)+"</title>\n<desc>"+html.EscapeString(f.Caption))) {
			t.Errorf("%s: no title or description\n%.600s", f.ID, svg)
		}
		if g := f.grid(); g.w > pageWidth+0.1 {
			t.Errorf("%s: %.0f pt wide", f.ID, g.w)
		}
		im, err := png.Decode(bytes.NewReader(must.Get(f.PNG())(t)))
		if err != nil || im.Bounds().Dx() < 300 {
			t.Errorf("%s: PNG %v (%v)", f.ID, im.Bounds(), err)
		}
		legend, panels, err := f.Inline()
		if err != nil || len(panels) != len(f.panels) || len(legend) != len(f.legend) {
			t.Errorf("%s: %d inline panels of %d (%v)", f.ID, len(panels), len(f.panels), err)
		}
		for _, panel := range panels {
			p := string(panel)
			if strings.Contains(p, "#000000") || strings.Contains(p, "font-family") || !strings.Contains(p, "textLength") {
				t.Errorf("%s: inline drawing:\n%.400s", f.ID, p)
			}
		}
		sentences := strings.Split(f.Caption, ". ")
		if f.ID != "figure-2" && len(sentences) > 3 || len(strings.Fields(slices.MaxFunc(sentences, func(a, b string) int { return len(a) - len(b) }))) > 25 {
			t.Errorf("%s: caption %q", f.ID, f.Caption)
		}
	}
	want := "figure-overview figure-3b figure-cost figure-scaling-infer figure-3a figure-generalization figure-generalization figure-2"
	if got := strings.Join(ids, " "); got != want {
		t.Errorf("figures %s, want %s", got, want)
	}
}

func TestNoDataNoFigure(t *testing.T) {
	for i, f := range []*Figure{Overview(nil), Hops(nil), Cost(nil), scalingFigure("infer", nil)} {
		if f != nil {
			t.Errorf("figure %d of nothing: %s", i, f.ID)
		}
	}
	if n := len(Training(nil)) + len(Generalization(nil)); n > 0 {
		t.Errorf("%d figures of nothing", n)
	}
}

func TestTheMeanEndsWithTheShortestSeed(t *testing.T) {
	accuracy := func(p *record.Point) (float64, bool) { return record.Accuracy.Value(p.Record(), 2) }
	got := meanCurve([]Run{chain("memo", "MEMO", 0, 4, 6), chain("memo", "MEMO", 1, 6, 10, 10)}, accuracy)
	if want := (plotter.XYs{{X: 100, Y: 50}, {X: 200, Y: 80}}); !slices.Equal(got, want) {
		t.Errorf("mean %v, want %v", got, want)
	}
}

// A panel without a measured number is left out, and an axis grows with its means.
func TestOverviewAxes(t *testing.T) {
	f := Overview(overviewPanels())
	if len(f.panels) != 2 || f.panels[0].Y.Max != 103 || f.panels[1].Y.Max != 8*1.03 || f.panels[1].Y.Label.Text != "mean error, %" {
		t.Errorf("%d panels, axes to %v and %v", len(f.panels), f.panels[0].Y.Max, f.panels[1].Y.Max)
	}
	var names []string
	for _, k := range f.legend {
		names = append(names, k.name)
	}
	if got := strings.Join(names, ", "); got != "MEMO, guessing, strongest control, paper, one seed" {
		t.Errorf("legend %s", got)
	}
}

// Values that are not numbers are dots without lines. Each number of hops has a line.
func TestGeneralizationPanels(t *testing.T) {
	list := all()
	length, combinations := list[5], list[6]
	if len(length.panels) != 2 || len(combinations.panels) != 1 {
		t.Fatalf("%d and %d panels", len(length.panels), len(combinations.panels))
	}
	if !length.legend[0].line || combinations.legend[0].line {
		t.Errorf("lines: %v for lengths, %v for combinations", length.legend[0].line, combinations.legend[0].line)
	}
	if !slices.ContainsFunc(length.legend, func(k key) bool { return k.name == "8 hops" }) {
		t.Errorf("legend %+v", length.legend)
	}
}

// The time of a curve is wall time; its end is the CPU time of the run.
func TestCPUMinutesOfACurve(t *testing.T) {
	r := chain("memo", "MEMO", 0, 4, 6)
	if got := curveOf(r.Points, r.cpuMinutes(), step); got[0].X != 1 || got[1].X != 2 {
		t.Errorf("CPU minutes %v, want 1 and 2", got)
	}
	if f := Cost([]Run{r}); f != nil {
		t.Error("one model is compared with none")
	}
}

func TestSlopesAreOfTheLargestSizes(t *testing.T) {
	c := systems()[0]
	var times [][]float64
	for _, p := range c.Points[2:] {
		times = append(times, p.CPU)
	}
	want, _ := slope.Fit([]int{256, 512, 1024}, times)
	if got := slopeText(&c); got != fmt.Sprintf("  %.2f", want.Value) {
		t.Errorf("slope %s, want %.2f", got, want.Value)
	}
}

func TestTilesHaveTheirNumber(t *testing.T) {
	svg := must.Get(all()[7].SVG())(t)
	if !bytes.Contains(svg, []byte(">97<")) || bytes.Contains(svg, []byte(">3<")) {
		t.Errorf("%s", svg)
	}
}

// A model has one colour, line and mark in every figure, and no two have the same.
func TestModelsHaveDistinctStyles(t *testing.T) {
	seen := map[string]string{}
	for model, look := range modelStrokes {
		for what, part := range map[string]string{"colour": fmt.Sprint(look.color), "line": fmt.Sprint(look.dashes), "mark": fmt.Sprintf("%T", look.glyph)} {
			if other := seen[what+part]; other != "" {
				t.Errorf("%s and %s have the same %s", model, other, what)
			}
			seen[what+part] = model
		}
	}
}

func TestLogTicks(t *testing.T) {
	var labels []string
	for _, tick := range logTicks(3, 60) {
		if tick.Label != "" {
			labels = append(labels, tick.Label)
		}
	}
	if got := strings.Join(labels, " "); got != "5 10 20 50" {
		t.Errorf("labels %s", got)
	}
}
