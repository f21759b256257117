package pai

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// WriteText writes the survey for a reader.
func (s Survey) WriteText(w io.Writer) error {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s: ", s.Dir)
	if s.Length == 0 {
		fmt.Fprintln(&out, "no trials")
	} else {
		fmt.Fprintf(&out, "trials on sequences of %d\n", s.Length)
	}
	for _, split := range s.Splits {
		split.write(&out)
	}
	if len(s.Splits) > 1 {
		fmt.Fprintf(&out, "items in more than one split: %d\n", s.Shared)
	}
	_, err := w.Write(out.Bytes())
	return err
}

func (s *SplitSurvey) write(out *bytes.Buffer) {
	fmt.Fprintf(out, "%s: %d of %d shards, %d records, %d bytes; read %d records with %d distinct items\n",
		s.Folder, s.Shards, s.Of, s.Records, s.Bytes, s.Read, s.Items)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "  feature\ttype\tshape\trecords\tlowest\thighest")
	for _, f := range s.Features {
		fmt.Fprintf(table, "  %s\t%s\t%s\t%d\t%.6g\t%.6g", f.Name, f.Type, f.shape(), f.Records, f.Lowest, f.Highest)
		if f.NotFinite > 0 {
			fmt.Fprintf(table, "\t%d values not finite", f.NotFinite)
		}
		fmt.Fprintln(table)
	}
	table.Flush() // to a buffer, which takes everything
	for _, t := range s.Trials {
		fmt.Fprintf(out, "  trial_type %d (%s), difficulty %d: %d trials\n", t.Type, t.Kind, t.Difficulty, t.Trials)
	}
	for _, option := range slices.Sorted(maps.Keys(s.Answers)) {
		var parts []string
		for _, value := range slices.Sorted(maps.Keys(s.Answers[option])) {
			parts = append(parts, fmt.Sprintf("%d in %d trials", value, s.Answers[option][value]))
		}
		fmt.Fprintf(out, "  correct_answer where the chain leads to %s: %s\n", option, strings.Join(parts, ", "))
	}
	for _, p := range s.Problems {
		fmt.Fprintf(out, "  no task: %s\n", p)
	}
}

// shape is the shape of a feature, or its number of values.
func (f *FeatureSurvey) shape() string {
	if f.Shape != nil {
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(f.Shape), " ", " x "), "[]")
	}
	if f.Fewest != f.Most {
		return fmt.Sprintf("%d to %d values", f.Fewest, f.Most)
	}
	return fmt.Sprintf("%d values", f.Fewest)
}
