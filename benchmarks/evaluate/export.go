package evaluate

import (
	"context"
	"fmt"
	"iter"

	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/datasets/export"
)

// ExportPlan returns the export of what a model sees under a cell's protocol: the given number of training
// batches, below 0 without end, and the questions of validation and test.
func ExportPlan(ctx context.Context, c *study.Cell, src datasets.Source, steps int) (export.Plan, error) {
	protocol := &c.Protocol
	if protocol.Mixture == study.Adaptive && steps != 0 {
		return export.Plan{}, &study.SettingError{Err: fmt.Errorf(
			"protocol.mixture = %s: the training batches depend on what the model has learned; --steps 0 writes the questions alone, --set mixture=uniform batches of another protocol",
			protocol.Mixture)}
	}
	if protocol.Mixture != "" && steps != 0 {
		if err := c.CheckMixer(src); err != nil {
			return export.Plan{}, err
		}
	}
	p := export.Plan{
		Task: c.Task, Seed: c.Seed, Source: src, Code: record.CodeVersion(), Splits: []datasets.Split{datasets.Train, datasets.Validation, datasets.Test},
		Protocol: export.Protocol{Preset: c.Study, Hash: c.ProtocolHash(), Values: protocol.Values(c.Task, c.Settings)},
		IDs: func(split datasets.Split) string {
			ids := QuestionIDs(c.ProtocolHash(), src.Spec().Hash, split)
			if split == datasets.Train {
				ids += fmt.Sprintf("seed%d-", c.Seed)
			}
			return ids
		},
		Batches: func(ctx context.Context, split datasets.Split) iter.Seq2[*datasets.Batch, error] {
			if split == datasets.Train {
				return trainingBatches(ctx, c, src, steps)
			}
			return Batches(ctx, src, QuestionsOf(protocol, split))
		},
	}
	if steps == 0 {
		p.Splits = p.Splits[1:]
	}
	return p, CheckQuestions(ctx, c, src)
}

// trainingBatches yields the first training batches of a cell.
func trainingBatches(ctx context.Context, c *study.Cell, src datasets.Source, steps int) iter.Seq2[*datasets.Batch, error] {
	return func(yield func(*datasets.Batch, error) bool) {
		weights, err := c.Protocol.Mixture.Weights(src.Kinds(), nil)
		var b datasets.Batch
		for step := 0; step != steps; step++ {
			if err == nil {
				err = ctx.Err()
			}
			if err == nil && weights == nil {
				err = src.Batch(&b, datasets.Train, c.Seed, step, c.Protocol.BatchSize)
			} else if err == nil { // ExportPlan has found a Mixer
				err = src.(datasets.Mixer).BatchMixed(&b, datasets.Train, c.Seed, step, c.Protocol.BatchSize, weights)
			}
			if !yield(&b, err) || err != nil {
				return
			}
		}
	}
}
