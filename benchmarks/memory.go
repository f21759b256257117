package benchmarks

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"

	"memobench/datasets"
	"memobench/models"
)

// sampled is how many questions memory is estimated from.
const sampled = 4

// fits refuses batches that take more memory than the machine has, before one is
// drawn: what a few questions of a split take, counted and not computed (see
// models.Costed), times the size of the batch.
func (c *Cell) fits(ctx context.Context, m models.Model, src datasets.Source, split datasets.Split, train bool) error {
	counting, ok := m.(models.Costed)
	if !ok {
		return nil
	}
	size := c.Protocol.BatchSize
	for _, p := range c.Training.Phases {
		size = max(size, p.BatchSize)
	}
	for b, err := range ask(ctx, src, questions{split: split, seed: c.Protocol.TestSeed, perKind: 1, batch: min(sampled, size)}) {
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
			return &SettingError{fmt.Errorf("model %s, batch_size = %d: a batch takes about %.3g GiB of memory, this machine has %.3g GiB",
				c.Label, size, need/(1<<30), have/(1<<30))}
		}
		return nil
	}
	return nil
}

// machineMemory returns the bytes of memory that a process may use, as Linux
// states them; elsewhere more than most machines have.
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
