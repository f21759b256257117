package figure

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"memobench/benchmarks/record"
	"memobench/benchmarks/trace"
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
	kept := results.Once(found.Runs)
	curves, err := ReadCurves(kept)
	if err != nil || len(curves) != len(kept) {
		t.Fatalf("%d curves of %d runs (%v)", len(curves), len(kept), err)
	}
	return table.Setups(kept), curves
}

// all draws every figure.
func all(t testing.TB, setups []*table.Setup, curves Curves, traces []*trace.Trace, scaled []*results.Set) []*Figure {
	t.Helper()
	list := Attention(traces)
	training, err := Training(setups, curves)
	if err != nil {
		t.Fatal(err)
	}
	scaling, err := Scaling(scaled)
	if err != nil {
		t.Fatal(err)
	}
	list = append(append(list, training...), scaling...)
	for _, draw := range []func() (*Figure, error){
		func() (*Figure, error) { return Hops(setups, curves) }, func() (*Figure, error) { return Reinforce(setups, curves) },
		func() (*Figure, error) { return Spread(setups, nil) }, func() (*Figure, error) { return Cost(setups) },
	} {
		f, err := draw()
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, f)
	}
	return list
}

func TestFiguresAreDrawnTheSameEachTime(t *testing.T) {
	setups, curves := recorded(t)
	tr, err := trace.Read(runsDir + "/pai3-memo-s0/attention.trace.json")
	if err != nil {
		t.Fatal(err)
	}
	scaled, err := results.Read(runsDir + "/scaling.txt")
	if err != nil {
		t.Fatal(err)
	}
	draw := func() []*Figure { return all(t, setups, curves, []*trace.Trace{tr}, []*results.Set{scaled}) }
	first, second := draw(), draw()
	ids := map[string]bool{}
	for i, f := range first {
		if f.Empty() || f.Fill != "" || len(f.Caption) == 0 || ids[f.ID] {
			t.Fatalf("%s: empty %v, fill %q, caption %q, id seen %v", f.ID, f.Empty(), f.Fill, f.Caption, ids[f.ID])
		}
		ids[f.ID] = true
		a, err := f.SVG()
		if err != nil {
			t.Fatal(err)
		}
		b, err := second[i].SVG()
		if err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: another SVG the second time (%v)", f.ID, err)
		}
		data, err := f.PNG()
		if err != nil {
			t.Fatal(err)
		}
		im, err := png.Decode(bytes.NewReader(data))
		if err != nil || im.Bounds().Dx() < 300 {
			t.Errorf("%s: PNG %v (%v)", f.ID, im.Bounds(), err)
		}
		panels, err := f.Inline()
		if err != nil || len(panels) != len(f.panels) {
			t.Errorf("%s: %d inline panels of %d (%v)", f.ID, len(panels), len(f.panels), err)
		}
		for _, p := range panels {
			if strings.Contains(p, "#000000") || strings.Contains(p, "font-family") || !strings.Contains(p, "textLength") || !strings.HasSuffix(strings.TrimSpace(p), "</svg>") {
				t.Errorf("%s: inline drawing:\n%.400s", f.ID, p)
			}
		}
	}
	for _, want := range []string{"figure-2-1", "figure-3a-1", "figure-3b", "figure-3cd", "figure-5", "figure-cost", "figure-scaling-infer"} {
		if !ids[want] {
			t.Errorf("no %s among %v", want, ids)
		}
	}
}

func TestAFigureWithoutDataNamesACommand(t *testing.T) {
	for _, f := range all(t, nil, nil, nil, nil) {
		if !f.Empty() || !strings.HasPrefix(f.Fill, "memobench ") && !strings.HasPrefix(f.Fill, "make ") {
			t.Errorf("%s: empty %v, command %q", f.ID, f.Empty(), f.Fill)
		}
		if _, err := f.SVG(); err == nil {
			t.Errorf("%s: an SVG of nothing", f.ID)
		}
	}
}

// Where one seed stopped early, the mean over seeds ends: the others alone would
// be another mean.
func TestTheMeanEndsWithTheShortestSeed(t *testing.T) {
	curve := func(counts ...int) []record.Point {
		var list []record.Point
		for i, n := range counts {
			list = append(list, record.Point{Step: 100 * (i + 1), Kinds: []record.Kind{{Name: "A-B", Total: 10, Correct: 1}, {Name: "A-C", Total: 10, Correct: n}}})
		}
		return list
	}
	s := series{seeds: [][]record.Point{curve(4, 6), curve(6, 10, 10)}}
	got := s.mean(onKind("A-C"))
	want := plotter.XYs{{X: 100, Y: 50}, {X: 200, Y: 80}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("mean %v, want %v", got, want)
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
	if err := os.WriteFile(path, []byte(text+"BenchmarkEval/task=pai3/model=ut/kind=A-C 1 5 accuracy\n"), 0o644); err != nil {
		t.Fatal(err)
	}
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
	f, err := Spread(setups, []*results.Set{set})
	if err != nil || !strings.Contains(strings.Join(f.Caption, " "), "12 runs") || !strings.Contains(f.Caption[1], "protocol 12, data 34") {
		t.Errorf("%q, %v", f.Caption, err)
	}
	if f, err = Spread(setups, nil); err != nil || !strings.Contains(f.Caption[0], "5 runs") {
		t.Errorf("%q, %v", f.Caption, err)
	}
}

// Runs trained side by side have the others' CPU time in theirs, and are
// set apart; sizes have panels of their own.
func TestCostKeepsSizesApart(t *testing.T) {
	setups, _ := recorded(t)
	f, err := Cost(setups)
	if err != nil {
		t.Fatal(err)
	}
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
	if f, err = Cost(append(setups, &random)); err != nil || len(f.panels) != 2 || f.panels[1].Title.Text != "pai3, reduced, items=random: A-C" {
		t.Errorf("%d panels (%v)", len(f.panels), err)
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

func TestSlopeIsThatOfThePower(t *testing.T) {
	for _, power := range []float64{0.5, 1, 2, 3} {
		var xy plotter.XYs
		for _, x := range []float64{64, 128, 256, 512} {
			xy = append(xy, plotter.XY{X: x, Y: 7 * math.Pow(x, power)})
		}
		if got := slope(xy); math.Abs(got-power) > 1e-9 {
			t.Errorf("slope %v, want %v", got, power)
		}
	}
}

func TestMedian(t *testing.T) {
	for want, list := range map[float64][]float64{2: {3, 1, 2}, 2.5: {4, 1, 3, 2}, 7: {7}} {
		if got := median(list); got != want {
			t.Errorf("median of %v: %v", list, got)
		}
	}
}

// What is drawn of a record is of the kinds that it says.
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

// The legend of the scaling figure has room above all points.
func TestTheLegendOfScalingHidesNoPoint(t *testing.T) {
	for models := 1; models <= 8; models++ {
		p := newPanel("", "", "")
		all := plotter.XYs{{X: 64, Y: 1e5}, {X: 512, Y: 3e9}}
		if err := guides(p, all, models); err != nil {
			t.Fatal(err)
		}
		top := plot.LogScale{}.Normalize(p.Y.Min, p.Y.Max, 3e9)
		if below := (1 - top) * scalingData.Points(); below < min(float64(models)*legendLine, 0.7*scalingData.Points()) {
			t.Errorf("%d models: the highest point is %.0f pt below the top", models, below)
		}
	}
}
