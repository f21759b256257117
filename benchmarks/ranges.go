package benchmarks

import (
	"fmt"
	"slices"

	"github.com/goccy/go-yaml/ast"
)

// Range is a key, as Preset.Set takes it, with the values to try. Values are
// kept as they were written.
type Range struct {
	Key    string
	Values []string
}

// ParseRanges reads a YAML mapping from keys to lists of values, in order. A
// nil node is none. Errors name the line. Whether a key exists and a value fits
// it, Preset.Set says.
func ParseRanges(node ast.Node) ([]Range, error) {
	inner := bare(node)
	if inner == nil || inner.Type() == ast.NullType {
		return nil, nil
	}
	mapping, ok := inner.(ast.MapNode)
	if !ok {
		return nil, at(node, fmt.Errorf("want a mapping, key: [value, value]"))
	}
	var list []Range
	for it := mapping.MapRange(); it.Next(); {
		r, err := parseRange(it.Key(), it.Value())
		if err == nil && slices.ContainsFunc(list, func(o Range) bool { return o.Key == r.Key }) {
			err = fmt.Errorf("%s stands twice", r.Key)
		}
		if err != nil {
			return nil, at(it.Key(), err)
		}
		list = append(list, r)
	}
	return list, nil
}

func parseRange(key, value ast.Node) (r Range, err error) {
	if r.Key, err = scalarText(key); err != nil {
		return r, err
	}
	values, ok := bare(value).(*ast.SequenceNode)
	if !ok || len(values.Values) == 0 {
		return r, fmt.Errorf("%s: want a list of values, [value, value]", r.Key)
	}
	for _, v := range values.Values {
		text, err := scalarText(v)
		if err != nil {
			return r, fmt.Errorf("%s: %w", r.Key, err)
		}
		if slices.Contains(r.Values, text) {
			return r, fmt.Errorf("%s: %s stands twice", r.Key, text)
		}
		r.Values = append(r.Values, text)
	}
	return r, nil
}
