package datasettest

import (
	"fmt"
	"slices"

	"memobench/datasets"
)

// describesItself checks what a Source says of itself.
func describesItself(s Suite) error {
	src, err := s.New()
	if err != nil {
		return err
	}
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
