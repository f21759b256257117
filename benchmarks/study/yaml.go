package study

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"memobench/datasets"
	"memobench/datasets/binfile"
)

// decodeYAML decodes data strictly into what v points to; the error for an unknown key
// suggests the nearest one. Panics of the decoder, as for a tag without a value in place
// of a list, become errors.
func decodeYAML(data []byte, v any) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("malformed YAML: a value does not have the form that its key wants")
		}
	}()
	err = binfile.YAML(data, v)
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

// fill sets the settings of config that are in node, a YAML mapping or nil, and returns their keys.
func fill(config any, node ast.Node) (keys []string, err error) {
	err = eachEntry(node, "key: value", func(key string, value ast.Node) error {
		keys = append(keys, key)
		text, err := scalarText(value)
		if err != nil {
			return err
		}
		return setKey(config, key, text)
	})
	return keys, err
}

// eachEntry calls f for each entry of node, a YAML mapping of the given form or nil. Errors
// have the line.
func eachEntry(node ast.Node, form string, f func(key string, value ast.Node) error) error {
	if node == nil || node.Type() == ast.NullType {
		return nil
	}
	mapping, ok := node.(ast.MapNode)
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

// scalarText returns a scalar's value without quotes, and any other node as YAML. It
// refuses tags, anchors and aliases: settings are read one by one.
func scalarText(node ast.Node) (string, error) {
	switch n := node.(type) {
	case nil:
		return "", nil
	case *ast.AliasNode, *ast.AnchorNode, *ast.TagNode:
		return "", fmt.Errorf("%.30q: an alias, an anchor or a tag cannot replace a setting; write out its value", n)
	case *ast.MappingKeyNode: // ? key
		return scalarText(n.Value)
	case *ast.LiteralNode:
		return n.Value.Value, nil
	case ast.ScalarNode:
		if n.Type() != ast.NullType {
			return n.GetToken().Value, nil
		}
	}
	return node.String(), nil
}

// at adds the node's line to an error.
func at(node ast.Node, err error) error {
	if node == nil || node.GetToken() == nil || node.GetToken().Position == nil {
		return err
	}
	return fmt.Errorf("line %d: %w", node.GetToken().Position.Line, err)
}
