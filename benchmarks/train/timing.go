package train

import (
	"context"
	"fmt"
	"time"

	"memobench/benchmarks/config"
	"memobench/benchmarks/evaluate"
	"memobench/datasets"
	"memobench/models"
)

// StepTimes is the CPU time of the parts of a run, in seconds; 0 on systems that do not
// report CPU times.
type StepTimes struct {
	Step       float64 // one training step
	Validation float64 // one evaluation while training
	Test       float64 // the final evaluation
}

// Seconds returns the time of a whole run of the cell, all steps and evaluations.
func (t StepTimes) Seconds(c *config.Cell) float64 {
	p := &c.Protocol
	evaluations := (p.Steps + p.EvaluateEvery - 1) / p.EvaluateEvery
	return float64(p.Steps)*t.Step + float64(evaluations)*t.Validation + t.Test
}

// minTiming is the minimum time for which training is measured: with short steps, a few
// garbage collections must not matter.
const minTiming = 300 * time.Millisecond

// TimeSteps builds the cell's model and measures at least the given number of training
// steps after a warm-up step, and the evaluation of one batch, whose time is multiplied
// by the number of batches of an evaluation. CPU times are those of the process: nothing
// else should run in it.
func TimeSteps(ctx context.Context, c config.Cell, dataPath string, threads, steps int) (StepTimes, error) {
	var t StepTimes
	src, err := config.OpenSource(&c, datasets.Options{DataPath: dataPath})
	if err != nil {
		return t, err
	}
	m, err := config.BuildDivided(&c, src.Shape(), c.Protocol.Steps, threads)
	if err != nil {
		return t, err
	}
	defer models.Close(m)
	if err := evaluate.CheckMemory(ctx, &c, m, src, datasets.Test, true); err != nil {
		return t, err
	}
	if err := t.timeTraining(ctx, &c, m, src, steps); err != nil {
		return t, fmt.Errorf("timing %s: %w", c.Name(), err)
	}
	batches := 0
	for b, err := range evaluate.Batches(ctx, src, evaluate.QuestionsOf(&c.Protocol, datasets.Validation)) {
		if err != nil {
			return t, err
		}
		// The second batch: the first may have to build the graph.
		if batches++; batches <= 2 {
			start := CPUSeconds()
			if _, err := m.Predict(b); err != nil {
				return t, fmt.Errorf("timing %s: %w", c.Name(), err)
			}
			if forced := evaluate.TeacherForced(m, src.Shape()); forced != nil {
				if _, err := forced.PredictTeacherForced(b); err != nil {
					return t, fmt.Errorf("timing %s: %w", c.Name(), err)
				}
			}
			t.Validation = CPUSeconds() - start
		}
	}
	perBatch := t.Validation
	t.Validation *= float64(batches)
	for _, err := range evaluate.Batches(ctx, src, evaluate.QuestionsOf(&c.Protocol, datasets.Test)) {
		if err != nil {
			return t, err
		}
		t.Test += perBatch
	}
	return t, nil
}

// CPUSeconds returns the CPU time that this process has used so far, and the time that
// models in other processes took for their answers.
func CPUSeconds() float64 { return processSeconds() + models.TimeElsewhere().Seconds() }

// timeTraining measures training steps.
func (t *StepTimes) timeTraining(ctx context.Context, c *config.Cell, m models.Model, src datasets.Source, steps int) error {
	var b datasets.Batch
	var start time.Time
	var cpu float64
	for done := -1; done < steps || time.Since(start) < minTiming; done++ {
		if done == 0 {
			start, cpu = time.Now(), CPUSeconds()
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := src.Batch(&b, datasets.Train, c.Seed, done+1, c.Protocol.BatchSize); err != nil {
			return err
		}
		if _, err := m.Train(&b); err != nil {
			return err
		}
		t.Step = (CPUSeconds() - cpu) / float64(max(1, done+1))
	}
	return nil
}
