package evaluate

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"

	"memobench/benchmarks/config"
	"memobench/datasets"
	"memobench/models"
)

// CheckQuestions refuses, before anything is trained, a cell that cannot be
// evaluated on src: it draws the first questions of both splits.
func CheckQuestions(ctx context.Context, c *config.Cell, src datasets.Source) error {
	if err := c.CheckKinds(src.Kinds()); err != nil {
		return err
	}
	for _, split := range []datasets.Split{datasets.Validation, datasets.Test} {
		q := QuestionsOf(&c.Protocol, split)
		err := firstBatch(ctx, src, q)
		if err == nil {
			continue
		}
		err = fmt.Errorf("protocol.%s_per_kind = %d: %w", q.Split, q.PerKind, err)
		if q.PerKind == 0 && ctx.Err() == nil { // all questions of an endless generator
			err = &config.SettingError{Err: err}
		}
		return err
	}
	return nil
}

// firstBatch draws the first batch of questions.
func firstBatch(ctx context.Context, src datasets.Source, q Questions) error {
	for _, err := range Batches(ctx, src, q) {
		return err
	}
	return fmt.Errorf("%s split: no questions", q.Split)
}

// costSample is the number of questions from which costs are estimated.
const costSample = 4

// CheckMemory refuses, before training or evaluation, batches that take more memory than
// the machine has. The estimate is the cost of a few questions of a split, counted in a
// dry run (see models.Costed), scaled to the size of the batch.
func CheckMemory(ctx context.Context, c *config.Cell, m models.Model, src datasets.Source, split datasets.Split, train bool) error {
	counting, ok := m.(models.Costed)
	if !ok {
		return nil
	}
	size := c.Protocol.BatchSize
	for _, p := range c.Training.Phases {
		size = max(size, p.BatchSize)
	}
	for b, err := range Batches(ctx, src, Questions{Split: split, Seed: c.Protocol.TestSeed, PerKind: 1, Batch: min(costSample, size)}) {
		if err != nil {
			return err
		}
		count := counting.PredictCost
		if train {
			count = counting.TrainCost
		}
		cost, err := count(b)
		if err != nil {
			return err
		}
		need := float64(cost.Weights) + float64(cost.Bytes())/float64(b.Size())*float64(size)
		if have := machineMemory(); need > have {
			return &config.SettingError{Err: fmt.Errorf("model %s, batch_size = %d: a batch takes about %.3g GiB of memory, this machine has %.3g GiB",
				c.Label, size, need/(1<<30), have/(1<<30))}
		}
		return nil
	}
	return nil
}

// machineMemory returns the bytes of memory that a process may use, as Linux reports
// them; 64 GiB on other systems.
func machineMemory() float64 {
	have := float64(64 << 30)
	if data, err := os.ReadFile("/proc/meminfo"); err == nil {
		var kB float64
		if _, err := fmt.Sscanf(string(data), "MemTotal: %f kB", &kB); err == nil {
			have = 1024 * kB
		}
	}
	if data, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil { // "max" without a limit
		if limit, err := strconv.ParseFloat(string(bytes.TrimSpace(data)), 64); err == nil {
			have = min(have, limit)
		}
	}
	return have
}
