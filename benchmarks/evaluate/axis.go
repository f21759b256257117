package evaluate

import (
	"fmt"
	"slices"
	"strings"
)

// Axis is a setting of a task with the values at which trained weights are evaluated.
type Axis struct {
	Setting string
	Values  []string
}

// ParseAxis reads "length=3,4,5".
func ParseAxis(text string) (Axis, error) {
	setting, list, ok := strings.Cut(text, "=")
	a := Axis{Setting: strings.TrimPrefix(strings.TrimSpace(setting), "task.")}
	if !ok || a.Setting == "" {
		return a, fmt.Errorf("axis %q: want a setting of the task and its values, such as length=3,4,5", text)
	}
	for v := range strings.SplitSeq(list, ",") {
		v = strings.TrimSpace(v)
		if v == "" || slices.Contains(a.Values, v) {
			return a, fmt.Errorf("axis %q: the value %q is empty or given twice", text, v)
		}
		a.Values = append(a.Values, v)
	}
	return a, nil
}
