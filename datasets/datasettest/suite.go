// Package datasettest is the contract test of datasets.Source.
//
// A Suite says how to build the source and describes it. Run has one subtest per property of
// the contract. Each check returns an error; the package's tests have a broken source for
// each of them.
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
	Run  func(s Suite, src datasets.Source) error // src is from s.New
}

// checks returns all checks.
func checks() []check {
	return []check{
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
}

// Run tests every property of the contract in its own subtest.
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
	s.Size, s.PerKind = cmp.Or(s.Size, 32), cmp.Or(s.PerKind, 20)
	return s
}

var splits = []datasets.Split{datasets.Train, datasets.Validation, datasets.Test}

// describesItself checks Spec, Shape, Kinds and the optional descriptions.
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
	return nil
}
