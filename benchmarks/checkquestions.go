package benchmarks

import (
	"context"
	"fmt"

	"memobench/datasets"
)

// checkQuestions refuses, before anything is trained, a cell that cannot be
// evaluated on src: it draws the first questions of both splits.
func (c *Cell) checkQuestions(ctx context.Context, src datasets.Source) error {
	if err := c.checkKinds(src.Kinds()); err != nil {
		return err
	}
	for _, q := range []questions{c.Protocol.validation(), c.Protocol.test()} {
		err := firstBatch(ctx, src, q)
		if err == nil {
			continue
		}
		err = fmt.Errorf("protocol.%s_per_kind = %d: %w", q.split, q.perKind, err)
		if q.perKind == 0 && ctx.Err() == nil { // all of them, where there is no end
			err = &SettingError{err}
		}
		return err
	}
	return nil
}

// firstBatch draws the first batch of questions.
func firstBatch(ctx context.Context, src datasets.Source, q questions) error {
	for _, err := range ask(ctx, src, q) {
		return err
	}
	return fmt.Errorf("%s split: no questions", q.split)
}
