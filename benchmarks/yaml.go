package benchmarks

import (
	"fmt"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
)

// Bounds of a YAML text. The decoder takes time and memory that grow with the
// square of nesting and size, and with the power of aliases of aliases.
const (
	// MaxYAML is the most bytes of a preset or grid; the longest ready one has 15 kB.
	MaxYAML = 128 << 10

	maxNesting = 64
	maxAliases = 16
)

// DecodeYAML decodes data strictly into what v points to.
func DecodeYAML(data []byte, v any) error {
	return caught(func() error {
		if err := boundYAML(data); err != nil {
			return err
		}
		return yaml.UnmarshalWithOptions(data, v, yaml.Strict())
	})
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

// boundYAML refuses a text that is too large, too deep or has too many aliases,
// naming the line. What is nested by indentation is bounded by the size.
func boundYAML(data []byte) error {
	if len(data) > MaxYAML {
		return fmt.Errorf("%d bytes of YAML, at most %d are read", len(data), MaxYAML)
	}
	open, row, aliases := 0, 0, 0 // brackets, and signs of nesting in a row
	for _, t := range lexer.Tokenize(string(data)) {
		before := row
		row = 0
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			open++
		case token.SequenceEndType, token.MappingEndType:
			open--
		case token.SequenceEntryType, token.MappingKeyType, token.TagType, token.AnchorType, token.StringType:
			if t.Type != token.StringType || t.Prev != nil && t.Prev.Type == token.AnchorType { // an anchor's name follows it
				row = before + 1
			}
		case token.AliasType:
			aliases++
		}
		if open > maxNesting || row > maxNesting {
			return fmt.Errorf("line %d: nested more than %d deep", t.Position.Line, maxNesting)
		}
		if aliases > maxAliases {
			return fmt.Errorf("line %d: more than %d aliases", t.Position.Line, maxAliases)
		}
	}
	return nil
}
