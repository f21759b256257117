package benchmarks

import (
	"fmt"

	"github.com/goccy/go-yaml"
)

// DecodeYAML decodes data strictly into what v points to. The decoder panics on
// some malformed files, such as one with a tag that nothing follows where a list
// is wanted: that is an error here.
func DecodeYAML(data []byte, v any) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("malformed YAML: a value does not have the form that its key wants")
		}
	}()
	return yaml.UnmarshalWithOptions(data, v, yaml.Strict())
}
