package dnc

import (
	"slices"
	"testing"

	"memobench/datasets"
	"memobench/models/layers"
)

// TestRecallStoresRowsInFreshSlots: untrained, the start puts every row nearly
// whole into a slot of its own and reads by content; the neutral start does
// neither.
func TestRecallStoresRowsInFreshSlots(t *testing.T) {
	b := testBatch(testShape())
	stores := func(start string) (worst float64) {
		c := small()
		c.Start, c.Slots = start, 10
		m, err := New[float64](c, testShape(), testTraining, 5)
		if err != nil {
			t.Fatal(err)
		}
		n, _, err := m.Run(b, layers.Prediction)
		if err != nil {
			t.Fatal(err)
		}
		tape, time := &n.memories[0].tape, &n.memories[0].time
		worst = 1
		taken := map[[2]int]bool{}
		for step, active := range time.active {
			for i := range active {
				line := time.first[step] + i
				example := time.order[i]
				if step < b.Offsets[example+1]-b.Offsets[example] {
					w := tape.writeMix.line(line)
					slot := slices.Index(w, slices.Max(w))
					if taken[[2]int{example, slot}] {
						worst = 0
					}
					taken[[2]int{example, slot}] = true
					worst = min(worst, w[slot])
				}
				e := split(tape.interfaces.line(line), c.ReadHeads, c.Word)
				for head := range c.ReadHeads {
					worst = min(worst, e.readModes[head*modes+1])
				}
			}
		}
		return worst
	}
	if got := stores(StartRecall); got < 0.7 {
		t.Errorf("recall: a row is written to a slot of its own, or content is read, by %.2f only, want 0.7 or more", got)
	}
	if got := stores(StartNeutral); got > 0.5 {
		t.Errorf("neutral: every row is stored by %.2f, so this test shows nothing", got)
	}
}

// TestStartsDifferInNamedParametersOnly: the start draws no random numbers, so
// that all other parameters are the same.
func TestStartsDifferInNamedParametersOnly(t *testing.T) {
	shape := datasets.Shape{Vocabulary: 11, MaxRows: 6, RowWidth: 3, QueryWidth: 2, Answers: 1}
	values := func(start string) map[string][]float64 {
		c := small()
		c.Start = start
		m, err := New[float64](c, shape, testTraining, 5)
		if err != nil {
			t.Fatal(err)
		}
		v := map[string][]float64{}
		for _, p := range m.Params.List() {
			v[p.Name] = p.Value
		}
		return v
	}
	neutral, changed := values(StartNeutral), map[string]bool{"Wh": true, "b": true, "bi": true}
	for name, v := range values(StartRecall) {
		same := true
		for i := range v {
			same = same && v[i] == neutral[name][i]
		}
		if same == changed[name] {
			t.Errorf("%s: changed %t, want %t", name, !same, changed[name])
		}
	}
}
