package config

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"

	"memobench/benchmarks/suggest"
)

// Limits of a YAML text. The decoder's time and memory grow quadratically with nesting and
// size, and exponentially with nested aliases.
const (
	// MaxYAML is the maximum size in bytes; the largest embedded preset has 15 kB.
	MaxYAML = 128 << 10

	maxNesting = 64
	maxAliases = 16
)

// DecodeYAML decodes data strictly into what v points to; the error for an unknown key
// suggests the nearest one. Panics of the decoder, as for a tag without a value in place
// of a list, become errors.
func DecodeYAML(data []byte, v any) (err error) {
	if err := boundYAML(data); err != nil {
		return err
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("malformed YAML: a value does not have the form that its key wants")
		}
	}()
	return withSuggestion(yaml.UnmarshalWithOptions(data, v, yaml.Strict()), reflect.TypeOf(v))
}

// withSuggestion adds the key of t that was probably meant to the error for an unknown
// one. The error of the YAML package shows the line.
func withSuggestion(err error, t reflect.Type) error {
	var field *yaml.UnknownFieldError
	if !errors.As(err, &field) {
		return err
	}
	_, name, _ := strings.Cut(field.GetMessage(), `"`)
	if near := suggest.Nearest(strings.TrimSuffix(name, `"`), fileKeys(t)); near != "" {
		return fmt.Errorf("%w\ndid you mean %q?", err, near)
	}
	return err
}

// fileKeys lists the keys of a type that YAML is decoded into, and of its fields.
func fileKeys(t reflect.Type) (keys []string) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for field := range t.Fields() {
		if key, _, _ := strings.Cut(field.Tag.Get("yaml"), ","); key != "" && key != "-" {
			keys = append(append(keys, key), fileKeys(field.Type)...)
		}
	}
	return keys
}

// boundYAML refuses a text that is too large, too deeply nested or has too many aliases.
// Errors name the line. Nesting by indentation is limited by the size.
func boundYAML(data []byte) error {
	if len(data) > MaxYAML {
		return fmt.Errorf("%d bytes of YAML, at most %d are read", len(data), MaxYAML)
	}
	open, row, aliases := 0, 0, 0 // open brackets, consecutive tokens of nesting, aliases
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

// fill sets the settings of config that are in node, a YAML mapping or nil.
func fill(config any, node ast.Node) error {
	mapping, err := mappingOf(node, "key: value")
	if mapping == nil {
		return err
	}
	for it := mapping.MapRange(); it.Next(); {
		text, err := scalarText(it.Value())
		var key string
		if err == nil {
			key, err = scalarText(it.Key())
		}
		if err == nil {
			err = setKey(config, key, text)
		}
		if err != nil {
			return at(it.Value(), err)
		}
	}
	return nil
}

// mappingOf returns node as a mapping of the given form; nil for nil and null.
func mappingOf(node ast.Node, form string) (ast.MapNode, error) {
	inner := bare(node)
	if inner == nil || inner.Type() == ast.NullType {
		return nil, nil
	}
	if mapping, ok := inner.(ast.MapNode); ok {
		return mapping, nil
	}
	return nil, at(node, fmt.Errorf("want a mapping, %s", form))
}

// keysIn lists the keys of node, a YAML mapping or nil.
func keysIn(node ast.Node) (keys []string) {
	if mapping, ok := bare(node).(ast.MapNode); ok {
		for it := mapping.MapRange(); it.Next(); {
			if key, err := scalarText(it.Key()); err == nil {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// bare returns the node without a tag (!!int 3), an anchor (&name 3) or a key indicator
// (? hops); nil if nothing follows them.
func bare(node ast.Node) ast.Node {
	for {
		switch n := node.(type) {
		case *ast.TagNode:
			node = n.Value
		case *ast.AnchorNode:
			node = n.Value
		case *ast.MappingKeyNode:
			node = n.Value
		default:
			return node
		}
	}
}

// scalarText returns a scalar's value without quotes, and any other node as YAML. It
// refuses aliases: settings are read one by one, without the anchors of the file.
func scalarText(node ast.Node) (string, error) {
	switch n := bare(node).(type) {
	case nil:
		return "", nil
	case *ast.AliasNode:
		return "", fmt.Errorf("%s: an alias cannot replace a setting, write out its value", n)
	case *ast.LiteralNode:
		return n.Value.Value, nil
	case ast.ScalarNode:
		if n.Type() != ast.NullType {
			return n.GetToken().Value, nil
		}
		return n.String(), nil
	default:
		return n.String(), nil
	}
}

// at adds the node's line to an error.
func at(node ast.Node, err error) error {
	if node == nil {
		return err
	}
	token := node.GetToken()
	if token == nil || token.Position == nil {
		return err
	}
	return fmt.Errorf("line %d: %w", token.Position.Line, err)
}

// Range is a key, as in Preset.Set, with the values to try, as they are in the file.
type Range struct {
	Key    string
	Values []string
}

// ParseRanges reads a YAML mapping from keys to lists of values, in order; nil for a nil
// node. Errors name the line. Preset.Set checks keys and values.
func ParseRanges(node ast.Node) ([]Range, error) {
	mapping, err := mappingOf(node, "key: [value, value]")
	if mapping == nil {
		return nil, err
	}
	var list []Range
	for it := mapping.MapRange(); it.Next(); {
		r, err := parseRange(it.Key(), it.Value())
		if err == nil && slices.ContainsFunc(list, func(o Range) bool { return o.Key == r.Key }) {
			err = fmt.Errorf("%s is duplicated", r.Key)
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
			return r, fmt.Errorf("%s: %s is duplicated", r.Key, text)
		}
		r.Values = append(r.Values, text)
	}
	return r, nil
}
