package benchmarks

import (
	"fmt"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// DecodeYAML decodes data strictly into what v points to.
func DecodeYAML(data []byte, v any) error {
	return caught(func() error { return yaml.UnmarshalWithOptions(data, v, yaml.Strict()) })
}

// caught returns the error of decode. The decoder panics on some malformed files,
// such as one with a tag that nothing follows where a list is wanted: that is an
// error here.
func caught(decode func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("malformed YAML: a value does not have the form that its key wants")
		}
	}()
	return decode()
}

// decodeKeys decodes a mapping whose keys must be text.
func decodeKeys(node ast.Node) (yaml.MapSlice, error) {
	var list yaml.MapSlice
	if err := caught(func() error { return yaml.NodeToValue(node, &list) }); err != nil {
		return nil, at(node, err)
	}
	for _, item := range list {
		if _, ok := item.Key.(string); !ok {
			return nil, at(node, fmt.Errorf("key %v: want text, put it in quotes", item.Key))
		}
	}
	return list, nil
}
