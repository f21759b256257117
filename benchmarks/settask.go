package benchmarks

import (
	"fmt"
	"strings"
)

// SetTask changes one setting of a task, a pointer to a struct as
// datasets.Entry.Defaults returns it, by "key=value". Keys are written, read and
// suggested as Preset.Set does, with or without the prefix "task.".
func SetTask(settings any, arg string) error {
	key, text, ok := strings.Cut(arg, "=")
	key = strings.TrimPrefix(strings.TrimSpace(key), partTask+".")
	if !ok || key == "" {
		return fmt.Errorf("setting %q: want key=value", arg)
	}
	if err := setKey(settings, key, strings.TrimSpace(text)); err != nil {
		return fmt.Errorf("setting %q: %w", arg, err)
	}
	return nil
}
