package models

import (
	"fmt"
	"maps"
	"slices"
)

// Variant is a model under a name of its own with some settings changed: an
// ablation, or a choice that the paper compares. It is configuration, not a
// copy: nothing but Settings differs from the model.
type Variant struct {
	Name     string // as on the command line, for example "memo-noln"
	Model    string // registry name of the model
	Title    string // as in a table
	About    string // one line
	Settings map[string]string
}

var variants = map[string]Variant{}

// RegisterVariant adds a variant; it panics on a name that a model or another
// variant has. Call it from init.
func RegisterVariant(v Variant) {
	_, isModel := registry[v.Name]
	if _, dup := variants[v.Name]; dup || isModel {
		panic(fmt.Sprintf("models: %q registered twice", v.Name))
	}
	variants[v.Name] = v
}

// LookupVariant returns the variant of the given name.
func LookupVariant(name string) (Variant, bool) {
	v, ok := variants[name]
	return v, ok
}

// VariantNames returns the names of the variants in order.
func VariantNames() []string { return slices.Sorted(maps.Keys(variants)) }
