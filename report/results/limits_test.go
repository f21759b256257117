//go:build unix

package results

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"memobench/datasets/must"
)

// What would never end, or not fit into memory, is refused.
func TestWhatIsNoOrdinaryFileIsRefused(t *testing.T) {
	dir := write(t, map[string]string{"run/config.yaml": "", "baseline/record.json": ""})
	pipe, huge := filepath.Join(dir, "run", "record.json"), filepath.Join(dir, "huge")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Skip(err)
	}
	must.Do(t, os.WriteFile(huge, nil, 0o644))
	if err := os.Truncate(huge, 1<<40); err != nil {
		t.Skip(err)
	}
	for path, want := range map[string]string{pipe: "want a regular file", filepath.Dir(pipe): "want a regular file", "/dev/zero": "want a regular file",
		huge: "huge is larger than 32 MiB", filepath.Join(dir, "none"): "name a file or a directory with results"} {
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	many := strings.Builder{}
	for i := range maxCells + 1 {
		fmt.Fprintf(&many, "BenchmarkX/t=%d 1 9 s\n", i)
	}
	must.Do(t, os.WriteFile(huge, []byte(many.String()), 0o644))
	if _, err := Read(huge); err == nil || !strings.Contains(err.Error(), "huge:250001: more than 250000 different numbers") {
		t.Errorf("%v", err)
	}
	link := filepath.Join(dir, "baseline", "linked")
	must.Do(t, os.WriteFile(filepath.Join(dir, "baseline", "record.json"), []byte(marshal(t, sample(0, 600, 540))), 0o644))
	if err := os.Symlink(filepath.Join(dir, "run"), link); err != nil {
		t.Skip(err)
	}
	if s := read(t, filepath.Join(dir, "baseline")); len(s.Notes) != 1 || !strings.Contains(s.Notes[0], link+": a symbolic link to a directory, not followed") {
		t.Errorf("%q", s.Notes)
	}
}

// Time grows linearly with the lines, however they are divided into cells.
func TestManyLines(t *testing.T) {
	start := cpuTime(t)
	for name, line := range map[string]string{
		"seeds of a cell": "BenchmarkX/seed=%d 1 %g accuracy\n", "cells": "BenchmarkX/task=%d 1 %g accuracy\n", "kinds": "BenchmarkX/kind=%d 1 %g accuracy\n",
		"runs without a seed": "BenchmarkX 1 %[2]g accuracy\n", "short cells": "BenchmarkX/task=%[1]d/kind=a 1 %[2]g accuracy\nBenchmarkX/task=%[1]d 1 1 nats\nBenchmarkX/task=%[1]d 1 2 nats\n",
		"failures": "--- FAIL: BenchmarkX%[1]d\nBenchmarkX 1 %[2]g accuracy\n", "units": "BenchmarkX 1 %[2]g u%[1]d\n",
	} {
		var text bytes.Buffer
		for i := range 20000 {
			fmt.Fprintf(&text, line, i, 50+float64(i)/1000)
		}
		path := filepath.Join(write(t, map[string]string{"a": text.String()}), "a")
		s := read(t, path)
		pairs, _, _, err := Match(s, s)
		if err != nil || len(pairs) != len(s.Cells) {
			t.Errorf("%s: %d pairs, %v", name, len(pairs), err)
		}
		pairs[0].BySeed()
	}
	if took := cpuTime(t) - start; took > 20*time.Second {
		t.Errorf("140,000 lines took %v of CPU time", took)
	}
}

func cpuTime(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Skip(err)
	}
	return time.Duration(u.Utime.Nano())
}
