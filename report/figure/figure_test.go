package figure

import (
	"bytes"
	"fmt"
	"html"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"

	"memobench/benchmarks/record"
	"memobench/benchmarks/scaling/slope"
	"memobench/benchmarks/trace"
	"memobench/datasets/must"
	_ "memobench/datasets/pai"
	_ "memobench/datasets/shortestpath"
	"memobench/report/paper"
	"memobench/report/results"
	"memobench/report/table"
)

const runsDir = "../testdata/runs"

// recorded are the test's runs, in their setups, with their curves.
func recorded(t testing.TB) ([]*table.Setup, Curves) {
	t.Helper()
	found, err := results.Open(runsDir)
	if err != nil {
		t.Fatal(err)
	}
	kept := results.Deduplicate(found.Runs)
	curves, err := ReadCurves(kept)
	if err != nil || len(curves) != len(kept) {
		t.Fatalf("%d curves of %d runs (%v)", len(curves), len(kept), err)
	}
	return table.Setups(kept), curves
}

// all draws every figure.
func all(t testing.TB, runs []results.Run, setups []*table.Setup, curves Curves, traces []*trace.Trace, scaled []*results.Set) []*Figure {
	t.Helper()
	var tables []*table.Table
	for _, s := range paper.Specs() {
		tables = append(tables, table.Fill(&s, results.Deduplicate(runs)))
	}
	scaling := must.Get(Scaling(scaled))(t)
	list := slices.Concat(Attention(traces), Training(setups, curves), scaling, []*Figure{Errors(setups), Hops(setups, curves), Reinforce(setups, curves),
		Spread(setups, nil), Cost(setups, curves), Suite(setups, curves), Overview(Hardest(tables)), Queries(tables)})
	for _, f := range list {
		must.Do(t, f.Err())
	}
	return list
}

// suite are runs on a suite of 20 tasks, of error 5 on each.
func suite() []results.Run {
	var list []results.Run
	for seed := range uint64(2) {
		r := &record.Record{Identity: record.Identity{Task: "babi", Label: "memo", Title: "MEMO", Model: "memo", Seed: seed}, Training: record.Training{Steps: 100}}
		r.Dataset.Presentation = record.Presentation{Suite: 20, Paper: "babi"}
		for i := range 20 {
			r.Evaluation.Kinds = append(r.Evaluation.Kinds, record.Kind{Name: fmt.Sprintf("qa%d", i+1), Total: 100, Correct: 95})
		}
		list = append(list, results.Run{Path: fmt.Sprintf("runs/babi-%d/record.json", seed), Record: r})
	}
	return list
}

func TestFiguresAreDrawnTheSameEachTime(t *testing.T) {
	setups, curves := recorded(t)
	tr := must.Get(trace.Read(runsDir + "/pai3-memo-s0/attention.trace.json"))(t)
	scaled := must.Get(results.Read(runsDir + "/scaling.txt"))(t)
	setups = append(setups, table.Setups(suite())...)
	var runs []results.Run
	for _, s := range setups {
		runs = append(runs, s.Runs...)
	}
	draw := func() []*Figure { return all(t, runs, setups, curves, []*trace.Trace{tr}, []*results.Set{scaled}) }
	first, second := draw(), draw()
	ids := map[string]bool{}
	for i, f := range first {
		if f.Empty() || f.Fill != "" || len(f.Caption) == 0 || ids[f.ID] {
			t.Fatalf("%s: empty %v, fill %q, caption %q, id seen %v", f.ID, f.Empty(), f.Fill, f.Caption, ids[f.ID])
		}
		ids[f.ID] = true
		for name, draw := range map[string][2]func() ([]byte, error){"SVG": {f.SVG, second[i].SVG}, "PDF": {f.PDF, second[i].PDF}} {
			a := must.Get(draw[0]())(t)
			if b, err := draw[1](); err != nil || !bytes.Equal(a, b) {
				t.Errorf("%s: another %s the second time (%v)", f.ID, name, err)
			}
		}
		svg, err := f.SVG()
		if err != nil || !bytes.Contains(svg, []byte("<title>"+html.EscapeString(f.Title)+"</title>\n<desc>"+html.EscapeString(f.Caption[0]))) || !bytes.Contains(svg, []byte("Arial, Helvetica, sans-serif")) {
			t.Errorf("%s: no title, description or fonts (%v)\n%.600s", f.ID, err, svg)
		}
		if g := f.grid(); g.w > pageWidth+0.1 {
			t.Errorf("%s: %.0f pt wide", f.ID, g.w)
		}
		data := must.Get(f.PNG())(t)
		im, err := png.Decode(bytes.NewReader(data))
		if err != nil || im.Bounds().Dx() < 300 {
			t.Errorf("%s: PNG %v (%v)", f.ID, im.Bounds(), err)
		}
		legend, panels, err := f.Inline()
		if err != nil || len(panels) != len(f.panels) || len(legend) != len(f.legend) {
			t.Errorf("%s: %d inline panels of %d (%v)", f.ID, len(panels), len(f.panels), err)
		}
		for _, p := range panels {
			if strings.Contains(p, "#000000") || strings.Contains(p, "font-family") || !strings.Contains(p, "textLength") || !strings.HasSuffix(strings.TrimSpace(p), "</svg>") {
				t.Errorf("%s: inline drawing:\n%.400s", f.ID, p)
			}
		}
	}
	for _, want := range []string{"figure-2-1", "figure-3a-1", "figure-3b", "figure-3cd", "figure-5", "figure-cost", "figure-babi", "figure-scaling-infer", "figure-queries", "figure-errors"} {
		if !ids[want] {
			t.Errorf("no %s among %v", want, ids)
		}
	}
}

func TestAFigureWithoutDataNamesACommand(t *testing.T) {
	for _, f := range all(t, nil, nil, nil, nil, nil) {
		if !f.Empty() || !strings.HasPrefix(f.Fill, "memobench ") && !strings.HasPrefix(f.Fill, "make ") {
			t.Errorf("%s: empty %v, command %q", f.ID, f.Empty(), f.Fill)
		}
		if _, err := f.SVG(); err == nil {
			t.Errorf("%s: an SVG of nothing", f.ID)
		}
	}
}

// If one seed stopped early, the mean over seeds ends there.
func TestTheMeanEndsWithTheShortestSeed(t *testing.T) {
	curve := func(counts ...int) []record.Point {
		var list []record.Point
		for i, n := range counts {
			list = append(list, record.Point{Step: 100 * (i + 1), Kinds: []record.Kind{{Name: "A-B", Total: 10, Correct: 1}, {Name: "A-C", Total: 10, Correct: n}}})
		}
		return list
	}
	s := series{runs: [][]record.Point{curve(4, 6), curve(6, 10, 10)}}
	got := s.mean(onKind("A-C"))
	want := plotter.XYs{{X: 100, Y: 50}, {X: 200, Y: 80}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("mean %v, want %v", got, want)
	}
	for want, s := range map[string]series{
		"EMN (1 seed)": {title: "EMN", numSeeds: 1, runs: s.runs[:1]}, "EMN (2 seeds)": {title: "EMN", numSeeds: 2, runs: s.runs},
		"EMN (1 seed, 2 runs)": {title: "EMN", numSeeds: 1, runs: s.runs},
	} {
		if got := s.heading(); got != want {
			t.Errorf("heading %q, want %q", got, want)
		}
	}
}

func TestSpreadTakesTheLargestPopulation(t *testing.T) {
	setups, _ := recorded(t)
	text := "protocol: 12\ndataset: 34\n"
	for i := range 6 {
		for _, model := range []string{"emn4", "memo"} {
			for k, kind := range []string{"A-B", "B-C", "A-C"} {
				text += fmt.Sprintf("BenchmarkEval/task=pai3/model=%s/kind=%s 1 %d accuracy\n", model, kind, 40+10*k+i)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "samples.txt")
	must.Do(t, os.WriteFile(path, []byte(text+"BenchmarkEval/task=pai3/model=ut/kind=A-C 1 5 accuracy\n"), 0o644))
	set, err := results.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	list := fromSet(set)
	if len(list) != 1 || len(list[0].models) != 2 || list[0].size() != 12 {
		t.Fatalf("%+v", list)
	}
	if m := list[0].models[0]; m.title != "EMN, 4 hops" || m.model != "emn" || m.direct[5] != 50 || m.indirect[5] != 65 {
		t.Errorf("%+v", m)
	}
	f := Spread(setups, []*results.Set{set})
	if !strings.Contains(strings.Join(f.Caption, " "), "12 runs") || !strings.Contains(f.Caption[1], "protocol 12, data 34") {
		t.Errorf("%q", f.Caption)
	}
	if f = Spread(setups, nil); !strings.Contains(f.Caption[0], "5 runs") {
		t.Errorf("%q", f.Caption)
	}
}

// Parallel runs include the others' CPU time and are marked; sizes have separate panels.
func TestCostKeepsSizesApart(t *testing.T) {
	setups, curves := recorded(t)
	f := Cost(setups, curves)
	var titles []string
	for _, p := range f.panels {
		titles = append(titles, p.Title.Text)
	}
	if got := strings.Join(titles, "; "); got != "pai3, reduced: A-C" {
		t.Errorf("panels: %s", got)
	}
	if !strings.Contains(strings.Join(f.Caption, " "), "Not drawn: 3 runs") {
		t.Errorf("caption: %q", f.Caption)
	}
	// Other settings of the task are another task.
	i := slices.IndexFunc(setups, func(s *table.Setup) bool { return s.Task == "pai3" && len(s.Runs) > 2 })
	random := *setups[i]
	random.Changes = []string{"protocol.steps=9", "task.items=random"}
	if f = Cost(append(setups, &random), curves); len(f.panels) != 2 || f.panels[1].Title.Text != "pai3, reduced, items=random: A-C" {
		t.Errorf("%d panels", len(f.panels))
	}
}

// A number is in the tiles that are looked at, and in no other.
func TestTilesHaveTheirNumber(t *testing.T) {
	tr := &trace.Trace{Rows: []string{"1 2", "3 4", "5 6"}, Answers: []trace.Answer{{Hops: [][][]float64{{{0.97, 0.03, 0}}}}}}
	svg, err := Attention([]*trace.Trace{tr})[0].SVG()
	if err != nil || !strings.Contains(string(svg), ">97<") || strings.Contains(string(svg), ">3<") {
		t.Errorf("%v\n%s", err, svg)
	}
}

// The slopes of the figure are those that memobench scaling prints: of the largest sizes.
func TestSlopesAreOfTheLargestSizes(t *testing.T) {
	times := map[int][]float64{}
	for _, n := range []int{64, 128, 256, 512, 1024} {
		for round := range 3 {
			times[n] = append(times[n], float64(1+round)*(3e5+math.Pow(float64(n), 2)))
		}
	}
	var large [][]float64
	for _, n := range []int{256, 512, 1024} {
		large = append(large, times[n])
	}
	want, _ := slope.Fit([]int{256, 512, 1024}, large)
	if got := slopeOf(times); got != fmt.Sprintf("%.2f", want.Value) || want.Value < 0.5 || want.Value > 1.9 {
		t.Errorf("slope %s, want %+v", got, want)
	}
	if times[64] = times[64][:1]; slopeOf(times) != "–" {
		t.Errorf("sizes of different rounds have a slope: %s", slopeOf(times))
	}
}

// The kinds in a figure are those of the record.
func TestKindsOfARecord(t *testing.T) {
	r := &record.Record{Evaluation: record.Evaluation{Kinds: []record.Kind{{Name: "A-B", Total: 10, Correct: 9}, {Name: "B-C", Total: 10, Correct: 7}, {Name: "A-C", Total: 10, Correct: 3}}}}
	if v, ok := hardest(r); v != 30 || !ok {
		t.Errorf("hardest: %v", v)
	}
	r.Identity = record.Identity{Task: "pai3", Label: "memo", Title: "MEMO", Model: "memo"}
	pop := fromSetup(&table.Setup{Task: "pai3", Runs: []results.Run{{Record: r}}})
	if m := pop.models[0]; math.Abs(m.direct[0]-80) > 1e-9 || m.indirect[0] != 30 {
		t.Errorf("direct and indirect: %+v", m)
	}
}

// A model has one colour and one line in every figure, and no two have the same.
func TestModelsAreToldApart(t *testing.T) {
	seen := map[string]string{}
	for model, look := range modelStrokes {
		for what, part := range map[string]string{"colour": fmt.Sprint(look.color), "line": fmt.Sprint(look.dashes), "mark": fmt.Sprintf("%T", look.glyph)} {
			if other := seen[what+part]; other != "" {
				t.Errorf("%s and %s have the same %s", model, other, what)
			}
			seen[what+part] = model
		}
	}
	kinds := []string{"A-B", "B-C", "C-D", "D-E", "A-C", "B-D", "C-E", "A-D", "B-E", "A-E"}
	for k, kind := range kinds {
		look := kindStroke(kinds, k)
		if (look.dashes == nil) != paper.Direct(kind) {
			t.Errorf("%s: dashes %v", kind, look.dashes)
		}
		id := fmt.Sprint(look.color, look.dashes)
		if other := seen[id]; other != "" {
			t.Errorf("%s is drawn as %s", kind, other)
		}
		seen[id] = kind
	}
}

// Text has a contrast of 4.5 on every tile, on a light page and on a dark one.
func TestNumbersOfTilesCanBeRead(t *testing.T) {
	luminance := func(c [3]float64) float64 {
		sum := 0.0
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			x := c[i] / 255
			if x <= 0.04045 {
				sum += weight * x / 12.92
			} else {
				sum += weight * math.Pow((x+0.055)/1.055, 2.4)
			}
		}
		return sum
	}
	for _, page := range []struct{ paper, ink [3]float64 }{{[3]float64{252, 252, 250}, [3]float64{29, 33, 38}}, {[3]float64{20, 23, 27}, [3]float64{229, 231, 234}}} {
		for v := 0.0; v <= 100; v++ {
			tile := tileColor(v)
			var below [3]float64
			for i, part := range []uint8{tile.R, tile.G, tile.B} {
				below[i] = float64(part) + page.paper[i]*(1-float64(tile.A)/255)
			}
			a, b := luminance(page.ink), luminance(below)
			if contrast := (max(a, b) + 0.05) / (min(a, b) + 0.05); contrast < 4.5 {
				t.Errorf("%.0f %% on %v: contrast %.2f", v, page.paper, contrast)
			}
		}
	}
}

// Ticks of a logarithmic axis are named at three places or more.
func TestLogAxesHaveEnoughTicks(t *testing.T) {
	for _, r := range [][2]float64{{0.01, 0.1}, {1, 8}, {0.05, 40}, {64, 1e9}, {3, 90}} {
		n := 0
		for _, tick := range logTicks(r[0], r[1]) {
			if tick.Label != "" {
				n++
			}
		}
		if n < 3 {
			t.Errorf("%v: %d names", r, n)
		}
	}
}
