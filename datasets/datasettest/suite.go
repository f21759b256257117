// Package datasettest is the contract test of datasets.Source.
//
// A Suite says how to build the source and describes it. Run has one subtest per property of
// the contract. A check ends at its first failure; the package's tests have a broken source for
// each check.
package datasettest

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"memobench/datasets"
)

// Suite describes the source under test.
type Suite struct {
	// New builds the source. It is called several times and must build equal sources.
	New func() (datasets.Source, error)

	// Finite says that the splits are finite, so that Examine accepts perKind 0.
	Finite bool

	// Size is the batch size, by default 32. PerKind is the number of evaluation examples
	// per kind, by default 20; the test split of a finite source must have that many of
	// each kind.
	Size, PerKind int

	// Items returns keys of what splits must not share in b, such as chains or stories. If
	// nil, splits are not compared.
	Items func(b *datasets.Batch) []string

	// Shares is the expected fraction of each kind in training batches, in the order of
	// Source.Kinds and with sum 1; nil means equal fractions.
	Shares []float64
}

// A check tests one property of the contract.
type check struct {
	Name string
	Run  func(t *trial)
}

// trial is a check of a source, which is from New.
type trial struct {
	Suite
	src datasets.Source
}

// failure is the error of a check.
type failure struct{ error }

// fail ends the check.
func (t *trial) fail(format string, args ...any) { panic(failure{fmt.Errorf(format, args...)}) }

// need ends the check at an error.
func (t *trial) need(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// run runs a check on a new source and returns its error.
func (s Suite) run(check func(*trial)) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case failure:
			err = r.error
		default:
			panic(r)
		}
	}()
	t := &trial{Suite: s}
	t.src, err = s.New()
	t.need(err)
	check(t)
	return nil
}

// batch returns a new batch, which is valid.
func (t *trial) batch(split datasets.Split, seed uint64, step, size int) *datasets.Batch {
	b := new(datasets.Batch)
	err := t.src.Batch(b, split, seed, step, size)
	if err == nil {
		err = validate(t.src, b)
	}
	if err != nil {
		t.fail("%v, step %d: %w", split, step, err)
	}
	return b
}

var checks = []check{
	{"describes itself", describesItself},
	{"batches are valid", batchesAreValid},
	{"same arguments give the same batch", sameArgumentsSameBatch},
	{"other seeds, steps and splits give other batches", otherArgumentsOtherBatches},
	{"bad arguments are refused", badArgumentsAreRefused},
	{"splits share no item", splitsShareNoItem},
	{"kinds have their shares of training batches", kindsHaveTheirShares},
	{"examine is stable", examineIsStable},
	{"examine is balanced and in order", examineIsBalanced},
	{"examine stops early", examineStops},
	{"optional promises are kept", optionalPromisesAreKept},
}

// Run tests every property of the contract in its own subtest.
func Run(t *testing.T, s Suite) {
	t.Helper()
	s = s.withDefaults()
	for _, c := range checks {
		t.Run(c.Name, func(t *testing.T) {
			if err := s.run(c.Run); err != nil {
				t.Error(err)
			}
		})
	}
}

func (s Suite) withDefaults() Suite {
	s.Size, s.PerKind = cmp.Or(s.Size, 32), cmp.Or(s.PerKind, 20)
	return s
}

var splits = []datasets.Split{datasets.Train, datasets.Validation, datasets.Test}

// describesItself checks Spec, Shape, Kinds and the optional descriptions.
func describesItself(t *trial) {
	again, err := t.New()
	t.need(err)
	spec, shape, kinds := t.src.Spec(), t.src.Shape(), t.src.Kinds()
	switch {
	case spec.Task == "" || spec.Hash == "":
		t.fail("spec without task or hash: %+v", spec)
	case spec.Hash != again.Spec().Hash:
		t.fail("two equal sources have the hashes %s and %s", spec.Hash, again.Spec().Hash)
	case min(shape.Vocabulary, shape.MaxRows, shape.RowWidth, shape.QueryWidth, shape.Answers) < 1:
		t.fail("shape with a size below 1: %+v", shape)
	case shape != again.Shape():
		t.fail("two equal sources have the shapes %+v and %+v", shape, again.Shape())
	case len(kinds) == 0 || !slices.Equal(kinds, again.Kinds()):
		t.fail("kinds %v and %v", kinds, again.Kinds())
	case !areNames(kinds):
		t.fail("a kind is empty or named twice in %v", kinds)
	}
	if v, ok := t.src.(datasets.Vocabularied); ok && len(v.Vocabulary()) != shape.Vocabulary {
		t.fail("%d words in the vocabulary, shape says %d", len(v.Vocabulary()), shape.Vocabulary)
	}
}

// areNames reports whether names are distinct and not empty.
func areNames(names []string) bool {
	return len(slices.Compact(slices.Sorted(slices.Values(names)))) == len(names) && !slices.Contains(names, "")
}
