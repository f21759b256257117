package study

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"memobench/datasets"
)

// maxSize is the maximum size of a study in bytes; the largest recorded one has 30 kB.
const maxSize = 1 << 20

// decodeYAML decodes data strictly into what v points to; the error for an unknown key
// suggests the nearest one. Panics of the decoder, as for a tag without a value in place
// of a list, become errors.
func decodeYAML(data []byte, v any) (err error) {
	if len(data) > maxSize {
		return fmt.Errorf("%d bytes of YAML, at most %d are read", len(data), maxSize)
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("malformed YAML: a value does not have the form that its key wants")
		}
	}()
	err = yaml.UnmarshalWithOptions(data, v, yaml.Strict())
	var field *yaml.UnknownFieldError
	if errors.As(err, &field) { // the error of the YAML package shows the line
		_, name, _ := strings.Cut(field.GetMessage(), `"`)
		unknown := &datasets.UnknownError{What: "key", Name: strings.TrimSuffix(name, `"`), Known: fileKeys(reflect.TypeOf(v))}
		return fmt.Errorf("%w\n%w", err, unknown)
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

// fill sets the settings of config that are in node, a YAML mapping or nil.
func fill(config any, node ast.Node) error {
	return eachEntry(node, "key: value", func(key string, value ast.Node) error {
		text, err := scalarText(value)
		if err != nil {
			return err
		}
		return setKey(config, key, text)
	})
}

// keysIn lists the keys of node, a YAML mapping or nil.
func keysIn(node ast.Node) (keys []string) {
	if err := eachEntry(node, "", func(key string, _ ast.Node) error {
		keys = append(keys, key)
		return nil
	}); err != nil {
		return nil
	}
	return keys
}

// eachEntry calls f for each entry of node, a YAML mapping of the given form or nil. Errors
// have the line.
func eachEntry(node ast.Node, form string, f func(key string, value ast.Node) error) error {
	inner := bare(node)
	if inner == nil || inner.Type() == ast.NullType {
		return nil
	}
	mapping, ok := inner.(ast.MapNode)
	if !ok {
		return at(node, fmt.Errorf("want a mapping, %s", form))
	}
	for it := mapping.MapRange(); it.Next(); {
		key, err := scalarText(it.Key())
		if err == nil {
			err = f(key, it.Value())
		}
		if err != nil {
			return at(it.Value(), err)
		}
	}
	return nil
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
