package benchmarks

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"memobench/models/checkpoint"
)

// curveFile is an open curve.jsonl: one Point per line, in order of steps.
type curveFile struct {
	f    *os.File
	path string
}

// openCurve opens the curve at path for a run that goes on after step, and
// whose checkpoint counts points up to it. Later points, which a killed process
// may have left, are cut off.
func openCurve(path string, step, points int) (*curveFile, error) {
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	kept := 0
	var head bytes.Buffer
	lines := bufio.NewScanner(bytes.NewReader(old))
	lines.Buffer(nil, 1<<24)
	// Lines beyond the counted ones are not read: the last may be half a line.
	for kept < points && lines.Scan() {
		var p Point
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, kept+1, err)
		}
		if p.Step > step {
			return nil, fmt.Errorf("%s, line %d: step %d, the checkpoint is of step %d", path, kept+1, p.Step, step)
		}
		head.Write(lines.Bytes())
		head.WriteByte('\n')
		kept++
	}
	if kept != points {
		return nil, fmt.Errorf("%s: %d points up to step %d, the checkpoint counts %d", path, kept, step, points)
	}
	err = checkpoint.WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(head.Bytes())
		return err
	})
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	return &curveFile{f: f, path: path}, nil
}

// add appends a point.
func (c *curveFile) add(p Point) error {
	data, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("%s: %w", c.path, err)
	}
	_, err = c.f.Write(append(data, '\n'))
	return err
}

// sync makes the points durable: before a checkpoint that counts them.
func (c *curveFile) sync() error { return c.f.Sync() }

func (c *curveFile) close() error { return c.f.Close() }
