package data

import (
	"bytes"
	"math"

	"memobench/datasets"
)

// sampled is how many questions of a story task Size looks at.
const sampled = 50

// Size estimates how many bytes Write writes, from the first batch of examples or
// from a few stories.
func (p *Plan) Size() (int64, error) {
	if p.Source == nil {
		return p.storiesSize()
	}
	size := 0.0
	var b datasets.Batch
	for split, count := range p.Counts {
		if err := p.Source.Batch(&b, datasets.Split(split), p.Seed, 0, batchSize); err != nil {
			return 0, err
		}
		var text int
		for i := range batchSize {
			e := exampleOf(&b, i, p.Source.Kinds())
			line, err := e.line()
			if err != nil {
				return 0, err
			}
			text += len(line)
		}
		size += float64(text) / batchSize * float64(count)
	}
	items, err := p.itemsSize()
	return int64(size + items), err
}

// itemsSize is the expected size of the tables of items and classes.
func (p *Plan) itemsSize() (float64, error) {
	size := 0.0
	var b datasets.Batch
	for split, count := range p.Counts {
		pool := p.pool(datasets.Split(split))
		if pool == nil {
			return 0, nil
		}
		n := float64(pool.Len())
		if !p.AllItems {
			if err := p.Source.Batch(&b, datasets.Split(split), p.Seed, 0, 1); err != nil {
				return 0, err
			}
			// Each example names so many items of the pool, all equally likely.
			draws := float64(count) * float64(b.Items.Len())
			n *= -math.Expm1(-draws / n)
		}
		size += n * 4 * float64(p.Source.Shape().ItemDim+1) // float32 features and an int32 class
	}
	return size, nil
}

// storiesSize writes a few stories of each file.
func (p *Plan) storiesSize() (int64, error) {
	files, err := p.entry.Generate(p.settings, p.Seed, sampled, 1)
	if err != nil {
		return 0, err
	}
	var perQuestion bytes.Buffer
	for _, file := range files {
		if err := file.Write(&perQuestion); err != nil {
			return 0, err
		}
	}
	questions := float64(p.Counts[datasets.Train] + p.Counts[datasets.Test])
	return int64(float64(perQuestion.Len()) / (sampled + 1) * questions), nil
}
