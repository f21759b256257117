package survey

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// WriteText writes the numbers for a reader.
func (e *Examples) WriteText(w io.Writer) error {
	var b strings.Builder
	from := fmt.Sprintf("drawn with seed %d", e.Seed)
	if e.Path != "" {
		from = "of " + e.Path
	}
	fmt.Fprintf(&b, "%s, %s split: %d examples %s; fingerprint %s\n", e.Task, e.Split, e.Examples, from, e.Fingerprint)
	var settings []string
	for _, key := range slices.Sorted(maps.Keys(e.Settings)) {
		settings = append(settings, key+"="+e.Settings[key])
	}
	fmt.Fprintf(&b, "settings: %s\n", strings.Join(settings, ", "))
	for _, l := range e.Labels {
		fmt.Fprintf(&b, "label: %s\n", l)
	}
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	line := func(name, format string, args ...any) {
		fmt.Fprintf(t, "  %s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	for _, k := range e.Kinds {
		line("kind "+k.Kind, "%d examples, %s", k.Examples, percent(ratio(k.Examples, e.Examples)))
	}
	line("rows of a memory", "%s", e.Rows)
	if e.Items != nil {
		line("items", "%d features, squared length %.3f, %.0f distinct in %d examples", e.Items.Features, e.Items.Length, e.Items.PerBatch, batch)
	} else if e.Words > 0 {
		line("words in rows", "%d distinct", e.Words)
	}
	e.answers(line)
	t.Flush() // to a buffer, which takes everything
	_, err := io.WriteString(w, b.String())
	return err
}

func (e *Examples) answers(line func(name, format string, args ...any)) {
	a := &e.Answers
	line("answers", "%d distinct of %d, the most frequent %s", a.Distinct, a.Of, percent(a.MostFrequent))
	chance := percent(a.Chance) + " among all"
	if a.Shown > 0 {
		chance += fmt.Sprintf(", %s among the %d shown; the first one shown is right in %s", percent(1/float64(a.Shown)), a.Shown, percent(a.First))
	}
	line("chance", "%s", chance)
	if e.Paths != nil {
		line("path lengths", "%s", histogram(e.Paths.Lengths, e.Examples))
		line("shortest paths", "%s", histogram(e.Paths.Shortest, e.Examples))
		for i, share := range e.Paths.Nodes {
			line(fmt.Sprintf("ceiling, node %d", i+1), "%s", percent(share))
		}
	}
	if a.known {
		name := "ceiling"
		if e.Paths != nil {
			name = "ceiling, whole path"
		}
		line(name, "%s", percent(a.Ceiling))
	}
}

func (r Range) String() string {
	if r.Fewest == r.Most {
		return fmt.Sprint(r.Most)
	}
	return fmt.Sprintf("%d to %d, mean %.2f", r.Fewest, r.Most, r.Mean)
}

// entries is how many numbers a histogram names.
const entries = 6

// histogram names numbers with their shares, in order.
func histogram(h map[int]int, of int) string {
	var parts []string
	rest := 0
	for i, x := range slices.Sorted(maps.Keys(h)) {
		if i >= entries {
			rest += h[x]
			continue
		}
		parts = append(parts, fmt.Sprintf("%d: %s", x, percent(ratio(h[x], of))))
	}
	if rest > 0 {
		parts = append(parts, "more: "+percent(ratio(rest, of)))
	}
	return strings.Join(parts, ", ")
}

func ratio(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }
