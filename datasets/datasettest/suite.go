package datasettest

import (
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
	Run  func(s Suite) error
}

// Checks returns all promises that Run tests.
func Checks() []Check {
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
	for _, c := range Checks() {
		t.Run(c.Name, func(t *testing.T) {
			if err := c.Run(s); err != nil {
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
