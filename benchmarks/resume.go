package benchmarks

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"memobench/models/checkpoint"
)

// sessionClock measures a session and adds it to the sessions before.
type sessionClock struct {
	start                 time.Time
	cpu                   float64
	wallBefore, cpuBefore float64
}

func startClock(l *ledger) sessionClock {
	return sessionClock{start: time.Now(), cpu: cpuSeconds(), wallBefore: l.Wall, cpuBefore: l.CPU}
}

// seconds returns the wall time of this session.
func (c *sessionClock) seconds() float64 { return time.Since(c.start).Seconds() }

// wall returns the wall time of all sessions.
func (c *sessionClock) wall() float64 { return c.wallBefore + c.seconds() }

// book writes the times of all sessions into the ledger.
func (c *sessionClock) book(l *ledger) {
	l.Wall = c.wall()
	l.CPU = c.cpuBefore + cpuSeconds() - c.cpu
}

// save writes a checkpoint of the run as it is. Where the directory is not the
// run's any more, the checkpoint is next to it, and the error says so.
func (t *trainer) save() error {
	moved, err := t.leaveIfMoved()
	if err != nil {
		return err
	}
	// The checkpoint counts the curve's points: they must not be lost when it
	// is not.
	if err := t.curve.sync(); err != nil {
		return err
	}
	t.session.book(&t.ledger)
	t.ledger.CurveSHA = t.curve.sum()
	config, err := json.Marshal(t.cell)
	if err != nil {
		return err
	}
	state, err := json.Marshal(&t.ledger)
	if err != nil {
		return err
	}
	err = checkpoint.Save(t.dir.file(CheckpointName), &checkpoint.Checkpoint{
		Step: t.step, CellHash: t.cell.Hash(), ProtocolHash: t.cell.ProtocolHash(), DatasetHash: t.src.Spec().Hash,
		Config: config, Vocabulary: vocabulary(t.src), Trainer: state, State: t.model.State(), Selected: t.selected,
	})
	if err != nil && !t.dir.inPlace() { // moved while it was written
		return t.save()
	}
	t.saved = time.Now()
	return cmp.Or(err, moved)
}

// restore puts a checkpoint's state in place. Cell and data have been compared.
func (t *trainer) restore(c *checkpoint.Checkpoint) error {
	if c.Step > t.cell.Protocol.Steps {
		return fmt.Errorf("resuming: checkpoint of step %d of %d", c.Step, t.cell.Protocol.Steps)
	}
	if err := json.Unmarshal(c.Trainer, &t.ledger); err != nil {
		return fmt.Errorf("resuming: trainer state: %w", err)
	}
	if t.ledger.Phase.Start > 0 {
		m, err := t.build(t.ledger.Phase)
		if err != nil {
			return fmt.Errorf("resuming: %w", err)
		}
		t.model = m
	}
	if err := t.model.Restore(c.State); err != nil {
		return fmt.Errorf("resuming: %w", err)
	}
	t.step, t.selected = c.Step, c.Selected
	return nil
}
