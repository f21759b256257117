package figure

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"memobench/report/paper"
	"memobench/report/table"
)

// Training draws figure 3a of the paper: accuracy on the validation split over training,
// by kind of question, one panel per model. There is one figure for each setup of paired
// associative inference with an unchanged preset or, if there is none, for the changed one
// nearest to the paper.
func Training(setups []*table.Setup, curves Curves) []*Figure {
	var list []*Figure
	for _, changed := range []bool{false, true} {
		for _, s := range setups {
			if !paper.IsChain(s.Task) || changed != (len(s.Changes) > 0) || changed && list != nil {
				continue
			}
			f := training(s, curves)
			if !f.Empty() {
				f.ID = fmt.Sprintf("figure-3a-%d", len(list)+1)
				list = append(list, f)
			}
		}
	}
	if list == nil {
		list = []*Figure{{ID: "figure-3a", Title: trainingTitle, Fill: paper.FigureCommands["figure-3a"]}}
	}
	return list
}

const trainingTitle = "Accuracy over training, by query (figure 3a of the paper)"

func training(s *table.Setup, curves Curves) *Figure {
	f := &Figure{Title: trainingTitle + ": " + s.Task + ", " + s.Title()}
	kinds := table.Kinds(s.Runs)
	for _, variant := range curves.seriesOf(s) {
		p := stepsPanel(variant.heading(), "accuracy, %")
		percentAxis(p)
		for k, kind := range kinds {
			variant.drawValue(f, p, onKind(kind), kind, kindStroke(kinds, k))
		}
		f.panels = append(f.panels, p)
	}
	f.Caption = []string{"Validation split; direct queries solid, indirect ones dashed. Thick: mean over runs, as far as all of them go; thin: single runs.", s.Note()}
	return f
}

// heading returns a panel's title: the model, its number of seeds and, if it differs, its
// number of runs.
func (s *series) heading() string {
	about := "1 seed"
	if s.numSeeds != 1 {
		about = fmt.Sprintf("%d seeds", s.numSeeds)
	}
	if len(s.runs) != s.numSeeds {
		about += fmt.Sprintf(", %d runs", len(s.runs))
	}
	return fmt.Sprintf("%s (%s)", s.title, about)
}

// drawValue draws a value of the curves, with a name in the legend: the runs and, if there
// are several, their mean.
func (s *series) drawValue(f *Figure, p *plot.Plot, v value, name string, look stroke) {
	if len(s.runs) > 1 {
		for _, run := range s.runs {
			f.line(p, xys(run, step, v), stroke{color: faint(look.color, 140), dashes: look.dashes}, 0.5)
		}
	}
	mean := s.mean(v)
	if len(mean) == 0 {
		return
	}
	f.addKey(key{name: name, stroke: stroke{color: look.color, dashes: look.dashes}, line: true})
	f.line(p, mean, look, 1.4)
}

// kindStroke returns the style of a kind of query: solid for direct ones and dashed for
// indirect ones, in different colours.
func kindStroke(kinds []string, k int) stroke {
	n := 0
	for _, other := range kinds[:k] {
		if paper.Direct(other) == paper.Direct(kinds[k]) {
			n++
		}
	}
	s := stroke{color: palette[n%len(palette)]}
	if !paper.Direct(kinds[k]) {
		s.dashes = []vg.Length{4, 1.5}
	}
	return s
}
