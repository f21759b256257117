package evaluate

import (
	"slices"
	"testing"

	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models"
)

// MEMO that walks is asked about chains of 13, longer than those of training. After the answer, its
// attention begins again at the question's first item or continues along the chain. Of the wrong
// answers with six facts and more, most come after attention was on the right pair at every hop up
// to the answer. Most of these name the other item of the question.
func TestWalkingIsMostlyWrongAfterArriving(t *testing.T) {
	o := Options{Split: datasets.Test}
	w := must.Get(readWeights("../recorded/pretrained/pai5-memo", &o))(t)
	settings, _, _, err := study.Changed(w.Cell.Settings, "length", "13")
	if err != nil {
		t.Fatal(err)
	}
	w.Cell.Settings = settings
	src := must.Get(w.open(&w.Cell, "", true, datasets.Test))(t)
	m, _, err := w.build(&w.Cell, src.Shape())
	if err != nil {
		t.Fatal(err)
	}
	const fewest = 6 // facts; training has at most 4
	var asked, wrong, arrived, other, followed, again, on int
	for b, err := range src.Examine(datasets.Test, 4242, 100, 64) {
		if err != nil {
			t.Fatal(err)
		}
		p := must.Get(predict(m.Predict, b, src.Shape()))(t)
		size := src.Shape().Vocabulary
		for i, target := range b.Targets {
			next := map[int32]int32{} // the item that a pair leads to
			for r := b.Offsets[i]; r < b.Offsets[i+1]; r++ {
				next[b.Rows[r*b.RowWidth]] = b.Rows[r*b.RowWidth+1]
			}
			query := b.Queries[i*b.QueryWidth : (i+1)*b.QueryWidth]
			facts := 0
			for at := query[0]; at != target && facts <= len(next); at = next[at] {
				facts++
			}
			var looked []int32 // first items of the pairs that attention was on
			for _, hop := range attention(m.(models.Attender), b, i, 0) {
				looked = append(looked, b.Rows[(b.Offsets[i]+slices.Index(hop[0], slices.Max(hop[0])))*b.RowWidth])
			}
			steps := 0
			for at := query[0]; steps < facts && looked[steps] == at; at = next[at] {
				steps++
			}
			scores := p.Scores[i*size : (i+1)*size]
			given := int32(slices.Index(scores, slices.Max(scores)))
			right, whole := given == target, steps == facts
			if facts >= fewest {
				asked++
			}
			_, more := next[target]
			switch {
			case facts < fewest && right && whole && more:
				followed++
				switch looked[facts] {
				case query[0]:
					again++
				case target:
					on++
				}
			case facts >= fewest && !right:
				wrong++
				if whole {
					arrived++
				}
				if whole && slices.Contains(query[1:], given) {
					other++
				}
			}
		}
	}
	t.Logf("chains of 13, %d right answers about fewer than %d facts, not at the chain's end, which attention arrived at: at the next hop attention began again in %d and continued in %d", followed, fewest, again, on)
	t.Logf("chains of 13, %d facts and more: of %d answers %d are wrong; in %d of them attention followed the chain up to the answer, and %d of these give the question's other item", fewest, asked, wrong, arrived, other)
	if followed == 0 || (again+on)*10 < followed*8 {
		t.Errorf("after %d answers attention began again in %d and continued in %d, want 80 %% together", followed, again, on)
	}
	if asked != 2800 || wrong == 0 || arrived*10 < wrong*6 || other*10 < arrived*7 {
		t.Errorf("of %d answers %d are wrong, %d after arriving, %d with the other item: want 2800 questions, at least 60 %% after arriving and 70 %% of these with the other item", asked, wrong, arrived, other)
	}
}
