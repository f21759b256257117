package train

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"os"
	"path/filepath"

	"memobench/models/checkpoint"
)

// curveFile is an open curve.jsonl: one Point per line, in order of steps.
type curveFile struct {
	*os.File
	hash hash.Hash // SHA-256 of its content
}

// openCurve opens the curve at path for a run that continues after step. points is the
// number of points in the checkpoint, digest their SHA-256. Later points, which a killed
// process may have left, are cut off.
func openCurve(path string, step, points int, digest string) (*curveFile, error) {
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	damaged := func(format string, args ...any) error {
		return &DirError{Dir: filepath.Dir(path), Problem: DirLost, Detail: fmt.Sprintf("%s"+format, append([]any{path}, args...)...)}
	}
	kept := 0
	var head bytes.Buffer
	lines := bufio.NewScanner(bytes.NewReader(old))
	lines.Buffer(nil, 1<<24)
	// Later lines are not read: the last may be incomplete.
	for kept < points && lines.Scan() {
		var p Point
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			return nil, damaged(", line %d: %v", kept+1, err)
		}
		if p.Step > step {
			return nil, damaged(", line %d: step %d, the checkpoint is of step %d", kept+1, p.Step, step)
		}
		head.Write(lines.Bytes())
		head.WriteByte('\n')
		kept++
	}
	if kept != points {
		return nil, damaged(": %d points up to step %d, the checkpoint counts %d", kept, step, points)
	}
	c := &curveFile{hash: sha256.New()}
	c.hash.Write(head.Bytes())
	if points > 0 && c.sum() != digest {
		return nil, damaged(": the SHA-256 of its first %d lines is %s, the checkpoint of step %d has %s: the file is damaged", points, c.sum(), step, digest)
	}
	if err := checkpoint.WriteBytes(path, head.Bytes()); err != nil {
		return nil, err
	}
	c.File, err = os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0o644)
	return c, err
}

// sum returns the SHA-256 of the curve in hexadecimal digits.
func (c *curveFile) sum() string { return hex.EncodeToString(c.hash.Sum(nil)) }

// add appends a point.
func (c *curveFile) add(p Point) error {
	data, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Name(), err)
	}
	data = append(data, '\n')
	c.hash.Write(data)
	_, err = c.Write(data)
	return err
}
