package evaluate

import (
	"context"
	"fmt"

	"memobench/benchmarks/study"
	"memobench/datasets"
)

// CheckQuestions refuses, before anything is trained, a cell that cannot be
// evaluated on src: it draws the first questions of both splits.
func CheckQuestions(ctx context.Context, c *study.Cell, src datasets.Source) error {
	if err := c.CheckKinds(src.Kinds()); err != nil {
		return err
	}
	for _, split := range []datasets.Split{datasets.Validation, datasets.Test} {
		q := QuestionsOf(&c.Protocol, split)
		for _, err := range Batches(ctx, src, q) {
			if err == nil {
				break
			}
			err = fmt.Errorf("protocol.%s_per_kind = %d: %w", q.Split, q.PerKind, err)
			if q.PerKind == 0 && ctx.Err() == nil { // all questions of an endless generator
				err = &study.SettingError{Err: err}
			}
			return err
		}
	}
	return nil
}
