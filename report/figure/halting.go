package figure

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"memobench/report/paper"
	"memobench/report/results"
	"memobench/report/table"
)

// Hops draws figure 3b of the paper: the mean number of hops over training, for runs that
// learn when to halt. Every setup has separate lines.
func Hops(setups []*table.Setup, curves Curves) *Figure {
	f := &Figure{ID: "figure-3b", Title: "Hops over training, where halting is learned (figure 3b of the paper)",
		Fill: paper.FigureCommands["figure-3b"]}
	for _, g := range groupByProtocol(setups) {
		p := hopsPanel(title(g))
		n := 0
		for _, s := range g {
			for _, variant := range curves.seriesOf(s) {
				if !haltsBy(s, variant.title, "reinforce", "act", "ponder") || len(variant.mean(hops)) == 0 {
					continue
				}
				f.variant(&variant, s, p, hops)
				n++
			}
		}
		if n == 0 {
			continue
		}
		f.panels = append(f.panels, p)
	}
	if f.Empty() {
		return f
	}
	f.Fill = ""
	f.Caption = []string{"MEMO, validation split, mean over the questions of all kinds. Thick: mean over runs; thin: single runs. Each panel is one protocol on one dataset."}
	return f
}

// Reinforce draws figure 5 of the paper: REINFORCE against adaptive computation time,
// accuracy on the last kind of question and hops over training steps.
func Reinforce(setups []*table.Setup, curves Curves) *Figure {
	f := &Figure{ID: "figure-5", Title: "Halting by REINFORCE and by adaptive computation time (figure 5 of the paper)",
		Fill: paper.FigureCommands["figure-5"]}
	for _, g := range groupByProtocol(setups) {
		if !have(g, "memo-reinforce") || !have(g, "memo-act") {
			continue
		}
		kinds := table.Kinds(g[0].Runs)
		hardest := kinds[len(kinds)-1]
		left, right := stepsPanel(hardest, "accuracy, %"), hopsPanel("hops")
		percentAxis(left)
		for _, s := range g {
			for _, variant := range curves.seriesOf(s) {
				if !haltsBy(s, variant.title, "reinforce", "act") {
					continue
				}
				f.variant(&variant, s, left, onKind(hardest))
				f.variant(&variant, s, right, hops)
			}
		}
		f.panels = append(f.panels, left, right)
		f.Fill = ""
		f.Caption = []string{"MEMO, validation split. Thick: mean over runs; thin: single runs. " +
			"What was changed from the preset in the model is named.", g[0].Note()}
		break
	}
	return f
}

// variant draws a value for a way of halting: dashed for adaptive computation time, solid
// for the others, in the colour of its settings.
func (f *Figure) variant(curves *series, s *table.Setup, p *plot.Plot, v value) {
	name := strings.Join(append([]string{strings.TrimPrefix(curves.title, "MEMO, ")}, s.ChangesTo("model")...), ", ")
	look := stroke{color: palette[len(f.legend)%len(palette)]}
	switch i := slices.IndexFunc(f.legend, func(k key) bool { return k.name == name }); {
	case i >= 0:
		look = f.legend[i].stroke
	case len(f.legend) >= len(palette):
		look.dashes = []vg.Length{1.5, 1.5}
	case strings.Contains(curves.title, "ACT"):
		look.dashes = []vg.Length{4, 1.5}
	}
	curves.drawValue(f, p, v, name, look)
}

// hopsPanel returns a panel of hops over training, whose axis has at least 5.
func hopsPanel(title string) *plot.Plot {
	p := stepsPanel(title, "hops")
	p.Y.Tick.Marker = plot.TickerFunc(wholes)
	p.Y.Min, p.Y.Max = 0, 5
	return p
}

// groupByProtocol groups setups that differ only in changes of the model.
func groupByProtocol(setups []*table.Setup) [][]*table.Setup {
	return results.GroupBy(setups, func(s *table.Setup) string {
		r := s.Runs[0].Record
		return s.Task + r.Protocol.Hash + r.Dataset.Hash
	})
}

// title names what setups of one protocol have in common.
func title(setups []*table.Setup) string {
	r := setups[0].Runs[0].Record
	return fmt.Sprintf("%s, preset %s, %s steps", setups[0].Task, r.Identity.Preset, short(float64(r.Training.Steps)))
}

// have reports whether some run of the setups has a label.
func have(setups []*table.Setup, label string) bool {
	return slices.ContainsFunc(setups, func(s *table.Setup) bool {
		return slices.ContainsFunc(s.Runs, func(r results.Run) bool { return r.Record.Identity.Label == label })
	})
}

// haltsBy reports whether the runs with that title are of a MEMO that halts in one of the
// given ways.
func haltsBy(s *table.Setup, title string, ways ...any) bool {
	for _, r := range s.Runs {
		if r.Record.Identity.Title == title {
			return r.Record.Identity.Model == "memo" && slices.Contains(ways, r.Record.Model.Config["halting"])
		}
	}
	return false
}
