package dnc

import (
	"math"
	"slices"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
)

// TestRecallStoresRowsInFreshSlots: with init recall or associate the untrained network writes
// every row to its own slot and reads by content; with init neutral it does neither.
func TestRecallStoresRowsInFreshSlots(t *testing.T) {
	b := testBatch(testShape())
	stores := func(start string) (worst float64) {
		c := small()
		c.Init, c.Slots = start, 10
		m, err := New[float64](c, testShape(), testTraining, 5)
		if err != nil {
			t.Fatal(err)
		}
		must.Get(m.Predict(b))(t)
		n, _ := m.Last()
		tape, packed := &n.recurrences[0].tape, &n.recurrences[0].packed
		worst = 1
		taken := map[[2]int]bool{}
		for step, active := range packed.Active {
			for i := range active {
				row := packed.First[step] + i
				example := packed.Order[i]
				if step < b.Offsets[example+1]-b.Offsets[example] {
					w := tape.writeWeights.row(row)
					slot := slices.Index(w, slices.Max(w))
					if taken[[2]int{example, slot}] {
						worst = 0
					}
					taken[[2]int{example, slot}] = true
					worst = min(worst, w[slot])
				}
				e := split(tape.interfaces.row(row), c.ReadHeads, c.Word)
				for head := range c.ReadHeads {
					worst = min(worst, e.readModes[head*modes+1])
				}
			}
		}
		return worst
	}
	for _, start := range []string{initRecall, initAssociate} {
		if got := stores(start); got < 0.7 {
			t.Errorf("%s: a row is written to a slot of its own, or content is read, by %.2f only, want 0.7 or more", start, got)
		}
	}
	if got := stores(initNeutral); got > 0.5 {
		t.Errorf("neutral: every row is stored by %.2f, so this test shows nothing", got)
	}
}

// TestAssociateFindsTheRowOfTheCue: with init associate, the first head of the untrained network
// reads the row with the query's first word far above chance, unless slots are free: it then
// reads the query, which is written to one; with init recall at chance.
func TestAssociateFindsTheRowOfTheCue(t *testing.T) {
	const rows, words = 12, 40
	shape := datasets.Shape{Vocabulary: words, MaxRows: rows, RowWidth: 2, QueryWidth: 3, Answers: 1}
	found := func(start string, free int) (mean float64) {
		c := small()
		c.Init, c.Embedding, c.Input, c.Hidden, c.Word, c.ReadHeads, c.Ponder, c.Slots = start, 64, 192, 128, 128, 2, 0, rows+free
		m := must.Get(New[float64](c, shape, testTraining, 5))(t)
		for cue := range rows {
			b := &datasets.Batch{Answers: 1, RowWidth: 2, QueryWidth: 3, Kinds: []int32{0}, Offsets: []int{0, rows},
				Queries: []int32{int32(cue), words - 1, words - 2}, Targets: []int32{int32(rows + cue)}}
			for row := range int32(rows) {
				b.Rows = append(b.Rows, row, rows+row)
			}
			must.Get(m.Predict(b))(t)
			n, _ := m.Last()
			tape, packed := &n.recurrences[0].tape, &n.recurrences[0].packed
			wrote := tape.writeWeights.row(packed.First[cue])
			mean += tape.readWeights.row(packed.Last(0))[slices.Index(wrote, slices.Max(wrote))] / rows
		}
		return mean
	}
	if got := found(initAssociate, 0); got < 4.0/rows {
		t.Errorf("associate: the row of the cue is read with weight %.2f, want %.2f or more", got, 4.0/rows)
	}
	if got := found(initAssociate, 4); got > 2.0/rows {
		t.Errorf("associate, free slots: the row of the cue is read with weight %.2f; correct the comment on associate", got)
	}
	if got := found(initRecall, 0); got > 2.0/rows {
		t.Errorf("recall: the row of the cue is read with weight %.2f, so this test shows nothing", got)
	}
}

// TestForgetGate: forget_gate sets the forget gates of an untrained controller without input,
// for every init, and changes nothing else.
func TestForgetGate(t *testing.T) {
	bias := func(start string, gate float64) []float64 {
		c := small()
		c.Init, c.ForgetGate = start, gate
		m := must.Get(New[float64](c, testShape(), testTraining, 5))(t)
		return m.Params.Get("b").Value
	}
	for start, usual := range map[string]float64{initNeutral: 0.5, initRecall: 0.047, initAssociate: 0.047} {
		h := small().Hidden
		for gate, want := range map[float64]float64{0: usual, 0.9: 0.9, 0.2: 0.2} {
			b, without := bias(start, gate), bias(start, 0)
			for i, v := range b {
				if forget := i/h == 1; forget && math.Abs(sigmoid(v)-want) > 1e-3 || !forget && v != without[i] {
					t.Fatalf("%s, forget_gate %g: bias %d is %g", start, gate, i, v)
				}
			}
		}
	}
}
