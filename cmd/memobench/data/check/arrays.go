package check

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"memobench/datasets"
	"memobench/datasets/npy"
	"memobench/datasets/pai"
)

// arrays adds .npy files, and how those in a directory fit together.
func (c *checker) arrays(path string, paths []string) {
	p := part{Part: Part{Form: "arrays", Files: len(paths)}}
	faulty := false
	for _, file := range paths {
		p.units = append(p.units, unit{file, 1, func(p *Part, report func(error)) {
			c.array(file, nil, p, func(err error) { faulty = true; report(err) })
		}})
	}
	if path != paths[0] && hasTables(path) {
		p.units = append(p.units, unit{path, 0, func(p *Part, report func(error)) {
			if !faulty { // else the same errors would come again
				c.tables(path, report)
			}
		}})
	}
	c.parts = append(c.parts, p)
}

// hasTables reports whether a directory has a file of one of the names that
// package pai reads.
func hasTables(dir string) bool {
	for _, name := range []string{"embeddings", datasets.Train.String(), datasets.Validation.String(), datasets.Test.String()} {
		if _, err := os.Stat(filepath.Join(dir, name+".npy")); err == nil {
			return true
		}
	}
	return false
}

// tables lets package pai read the directory, for the smallest task.
func (c *checker) tables(dir string, report func(error)) {
	s := pai.NpyDefaults(3)
	s.Sequences = 2
	src, err := pai.OpenNpy(*s, datasets.Options{DataPath: dir, Splits: []datasets.Split{}})
	if err != nil {
		report(err)
		return
	}
	for _, l := range src.Spec().Labels {
		if !strings.HasPrefix(l, "reduced") {
			c.report.note("%s", l)
		}
	}
}

const (
	valuesAtOnce = 1 << 14
	maxClass     = 1_000_000 // as package pai has it
)

// array reads a file to its end: numbers must be finite, and classes not
// negative. want is the shape, or nil for any.
func (c *checker) array(path string, want []int, p *Part, report func(error)) {
	a, err := npy.Open(path)
	if err != nil {
		report(err)
		return
	}
	defer a.Close()
	if want != nil && fmt.Sprint(a.Shape()) != fmt.Sprint(want) {
		report(fmt.Errorf("%s: shape %v, the header says %v", path, a.Shape(), want))
		return
	}
	p.count("numbers", int(a.Len()))
	classes := strings.HasSuffix(path, "classes.npy")
	if classes && !a.Type().Integer() {
		report(fmt.Errorf("%s: classes of type %v, want integers", path, a.Type()))
		return
	}
	var values [valuesAtOnce]float32
	var ids [valuesAtOnce]int64
	for at := int64(0); at < a.Len(); at += valuesAtOnce {
		n := int(min(valuesAtOnce, a.Len()-at))
		if classes {
			err = a.Int64(ids[:n], at)
		} else {
			err = a.Float32(values[:n], at)
		}
		if err != nil {
			report(err)
			return
		}
		for i := range n {
			problem := ""
			if x := float64(values[i]); !classes && (math.IsNaN(x) || math.IsInf(x, 0)) {
				problem = fmt.Sprintf("value %d is %v as float32", at+int64(i), x)
			}
			if classes && (ids[i] < 0 || ids[i] >= maxClass) {
				problem = fmt.Sprintf("class %d of item %d, want 0 to %d", ids[i], at+int64(i), maxClass-1)
			}
			if problem != "" {
				report(&npy.Error{File: path, Offset: a.Offset(at + int64(i)), Problem: problem})
			}
		}
		if c.read(int(a.Offset(int64(n))-a.Offset(0))) != nil {
			return
		}
	}
}
