package pai

import (
	"fmt"
	"strconv"

	"memobench/datasets"
)

// Tell implements datasets.Teller, for class symbols.
func (src *Source) Tell(b *datasets.Batch, i int) (memory []string, question, answer string, choices []string, err error) {
	if src.images != nil {
		return nil, "", "", nil, fmt.Errorf("pai: %s has embeddings, which have no words; the tasks on class symbols have", src.spec.Task)
	}
	for r := b.Offsets[i]; r < b.Offsets[i+1]; r++ {
		memory = append(memory, fmt.Sprintf("%d goes with %d.", b.Rows[r*rowWidth], b.Rows[r*rowWidth+1]))
	}
	q := b.Queries[i*queryWidth : (i+1)*queryWidth]
	for _, c := range b.Choices[i*b.NumChoices : (i+1)*b.NumChoices] {
		choices = append(choices, strconv.Itoa(int(c)))
	}
	question = fmt.Sprintf("Which one is connected with %d, directly or through others: %d or %d?", q[0], q[1], q[2])
	return memory, question, strconv.Itoa(int(b.Targets[i])), choices, nil
}
