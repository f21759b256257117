package datasets

import (
	"strings"
	"testing"
)

// two is a valid batch of two examples, with two rows and one row.
func two() *Batch {
	return &Batch{
		RowWidth: 2, Rows: []int32{0, 1, 2, NoWord, 3, 4}, Offsets: []int{0, 2, 3},
		QueryWidth: 1, Queries: []int32{0, NoWord},
		Answers: 1, Targets: []int32{1, 4},
		Kinds:   []int32{0, 0},
		Choices: []int32{1, 2, 3, 4}, NumChoices: 2,
	}
}

func TestValidateNamesWhatIsWrong(t *testing.T) {
	shape := Shape{Vocabulary: 5, MaxRows: 2, RowWidth: 2, QueryWidth: 1, Answers: 1}
	if err := two().Validate(shape); err != nil {
		t.Fatalf("a right batch: %v", err)
	}
	for want, fault := range map[string]func(b *Batch){
		"no examples":                            func(b *Batch) { b.Kinds = nil },
		"widths":                                 func(b *Batch) { b.QueryWidth = 2 },
		"1 offsets for 2 examples":               func(b *Batch) { b.Offsets = b.Offsets[:1] },
		"5 row words":                            func(b *Batch) { b.Rows = b.Rows[:5] },
		"1 query words":                          func(b *Batch) { b.Queries = b.Queries[:1] },
		"3 targets":                              func(b *Batch) { b.Targets = append(b.Targets, 0) },
		"3 choices":                              func(b *Batch) { b.Choices = b.Choices[:3] },
		"example 1 has 0 memory rows":            func(b *Batch) { b.Offsets[1], b.Offsets[2], b.Rows = 2, 2, b.Rows[:4] },
		"example 0 has 3 memory rows":            func(b *Batch) { b.Offsets[1] = 3 },
		"example 1: memory word 5":               func(b *Batch) { b.Rows[5] = 5 },
		"example 0: memory word -2":              func(b *Batch) { b.Rows[0] = -2 },
		"example 1: query word 5":                func(b *Batch) { b.Queries[1] = 5 },
		"example 0: target -1":                   func(b *Batch) { b.Targets[0] = NoWord },
		"example 1: choice 5 out of range":       func(b *Batch) { b.Choices[2] = 5 },
		"items of 3 features, the task's have 0": func(b *Batch) { b.Items = &Items{Dim: 3, Data: make([]float32, 15)} },
		"items of 0 features":                    func(b *Batch) { b.Items = &Items{} },
	} {
		b := two()
		fault(b)
		if err := b.Validate(shape); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want ...%s...", err, want)
		}
	}
}

func TestValidateHoldsWordsAgainstTheItemTable(t *testing.T) {
	shape := Shape{Vocabulary: 5, MaxRows: 2, RowWidth: 2, QueryWidth: 1, Answers: 1, ItemDim: 3}
	items := func(values int) *Batch {
		b := two()
		b.Items = &Items{Dim: 3, Data: make([]float32, values)}
		return b
	}
	if err := items(15).Validate(shape); err != nil {
		t.Errorf("five items: %v", err)
	}
	b := items(18) // more items than there are answers
	b.Rows[0] = 5
	if err := b.Validate(shape); err != nil {
		t.Errorf("word 5 of six items: %v", err)
	}
	for want, b := range map[string]*Batch{
		"memory word 2 out of range [-1, 2)":     items(6),
		"item table of 7 values":                 items(7),
		"items of 0 features, the task's have 3": two(),
	} {
		if err := b.Validate(shape); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want ...%s...", err, want)
		}
	}
}

func TestResetKeepsStorage(t *testing.T) {
	b := two()
	b.Reset(2, 1, 1, 2)
	if b.Size() != 0 || b.NumRows() != 0 || len(b.Rows) != 0 || cap(b.Rows) < 6 || b.Items != nil {
		t.Errorf("after Reset: %+v", b)
	}
	if (&Batch{}).NumRows() != 0 {
		t.Error("the zero batch has rows")
	}
}
