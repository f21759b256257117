package benchmarks

import (
	"fmt"

	"github.com/goccy/go-yaml/ast"
)

// fill sets the settings of config that node, a YAML mapping, names. A nil node
// names none.
func fill(config any, node ast.Node) error {
	inner := bare(node)
	if inner == nil || inner.Type() == ast.NullType {
		return nil
	}
	mapping, ok := inner.(ast.MapNode)
	if !ok {
		return at(node, fmt.Errorf("want a mapping, key: value"))
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

// namedIn returns whether node, a YAML mapping or nil, names a key.
func namedIn(node ast.Node) func(key string) bool {
	keys := map[string]bool{}
	if mapping, ok := bare(node).(ast.MapNode); ok {
		for it := mapping.MapRange(); it.Next(); {
			if key, err := scalarText(it.Key()); err == nil {
				keys[key] = true
			}
		}
	}
	return func(key string) bool { return keys[key] }
}

// bare returns the node itself, without what YAML lets stand before it: a tag
// (!!int 3), an anchor (&name 3), the sign of a key (? hops). It is nil where
// nothing else stands.
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

// scalarText returns a scalar's value without quotes, and any other node as
// YAML. An alias is refused: settings are read one at a time, without the
// anchors of the rest of the file.
func scalarText(node ast.Node) (string, error) {
	switch n := bare(node).(type) {
	case nil:
		return "", nil
	case *ast.AliasNode:
		return "", fmt.Errorf("%s: an alias cannot stand for a setting, write out its value", n)
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
