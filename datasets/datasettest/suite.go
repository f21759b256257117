// Package datasettest is the contract test of datasets.Source: what any task
// must pass.
//
// What comes in: a Suite, which says how to build the source and what is known
// of it. What goes out: one subtest per promise of the contract. What always
// holds: each check is a function that returns an error, and the package's own
// tests show for each of them a broken source that it catches.
package datasettest

import (
	"fmt"
	"slices"
	"testing"

	"memobench/datasets"
)

// Suite describes the source under test.
type Suite struct {
	// New builds the source; it is called more than once and must build equal
	// sources.
	New func() (datasets.Source, error)

	// Finite says that the splits are finite, so that Examine takes perKind 0.
	Finite bool

	// Size is the batch size to test with, by default 32. PerKind is the number
	// of examples per kind to examine, by default 20; a finite source must have
	// at least that many of each kind in its test split.
	Size, PerKind int

	// Items returns keys for what splits must not share, in the examples of b:
	// chains, stories. Nil skips no check but leaves splits uncompared; give it
	// wherever a key can be read off a batch.
	Items func(b *datasets.Batch) []string

	// Shares is the expected share of each kind in training batches, in the
	// order of Source.Kinds and with sum 1; nil means equal shares.
	Shares []float64
}

// A Check is one promise of the contract.
type Check struct {
	Name string
	Run  func(s Suite, src datasets.Source) error // src is from s.New
}

// checks returns all promises that Run tests.
func checks() []Check {
	return []Check{
		{"describes itself", describesItself},
		{"batches are valid", batchesAreValid},
		{"same arguments give the same batch", sameArgumentsSameBatch},
		{"concurrent calls give the same batches", concurrentCallsSameBatches},
		{"other seeds, steps and splits give other batches", otherArgumentsOtherBatches},
		{"bad arguments are refused", badArgumentsAreRefused},
		{"splits share no item", splitsShareNoItem},
		{"kinds have their shares of training batches", kindsHaveTheirShares},
		{"examine is stable", examineIsStable},
		{"examine is balanced and in order", examineIsBalanced},
		{"examine stops when told", examineStops},
		{"optional promises are kept", optionalPromisesAreKept},
	}
}

// Run tests every promise of the contract, each in its own subtest.
func Run(t *testing.T, s Suite) {
	t.Helper()
	s = s.withDefaults()
	for _, c := range checks() {
		t.Run(c.Name, func(t *testing.T) {
			src, err := s.New()
			if err == nil {
				err = c.Run(s, src)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}

func (s Suite) withDefaults() Suite {
	if s.Size == 0 {
		s.Size = 32
	}
	if s.PerKind == 0 {
		s.PerKind = 20
	}
	return s
}

var splits = []datasets.Split{datasets.Train, datasets.Validation, datasets.Test}

// describesItself checks what a Source says of itself.
func describesItself(s Suite, src datasets.Source) error {
	again, err := s.New()
	if err != nil {
		return err
	}
	spec, shape, kinds := src.Spec(), src.Shape(), src.Kinds()
	switch {
	case spec.Task == "" || spec.Hash == "":
		return fmt.Errorf("spec without task or hash: %+v", spec)
	case spec.Hash != again.Spec().Hash:
		return fmt.Errorf("two equal sources have the hashes %s and %s", spec.Hash, again.Spec().Hash)
	case shape.Vocabulary < 1 || shape.MaxRows < 1 || shape.RowWidth < 1 || shape.QueryWidth < 1 || shape.Answers < 1:
		return fmt.Errorf("shape with a size below 1: %+v", shape)
	case shape != again.Shape():
		return fmt.Errorf("two equal sources have the shapes %+v and %+v", shape, again.Shape())
	case len(kinds) == 0 || !slices.Equal(kinds, again.Kinds()):
		return fmt.Errorf("kinds %v and %v", kinds, again.Kinds())
	}
	seen := map[string]bool{}
	for _, k := range kinds {
		if k == "" || seen[k] {
			return fmt.Errorf("kind %q is empty or named twice in %v", k, kinds)
		}
		seen[k] = true
	}
	if v, ok := src.(datasets.Vocabularied); ok && len(v.Vocabulary()) != shape.Vocabulary {
		return fmt.Errorf("%d words in the vocabulary, shape says %d", len(v.Vocabulary()), shape.Vocabulary)
	}
	if v, ok := src.(datasets.KindTitled); ok && len(v.KindTitles()) != len(kinds) {
		return fmt.Errorf("%d titles for %d kinds", len(v.KindTitles()), len(kinds))
	}
	return nil
}
