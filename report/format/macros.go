package format

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"memobench/report/document"
	"memobench/report/figure"
	"memobench/report/table"
)

// macros writes a LaTeX command for each headline number of Tables 2 to 6, for data like
// the paper's: \memoPaiThreeAC, with ...Interval, half of its 95 % interval, and ...Paper,
// the paper's number.
func macros(w io.Writer, d *document.Document) error {
	var b strings.Builder
	b.WriteString("% Accuracy in per cent on the test split; of bAbI the mean error and the tasks solved.\n")
	seen := map[string]bool{}
	command := func(name, text string) {
		if !seen[name] {
			seen[name] = true
			fmt.Fprintf(&b, "\\newcommand{\\%s}{%s}\n", name, text)
		}
	}
	for _, t := range d.Results {
		if t.ID < "table-2" || t.ID > "table-6" {
			continue
		}
		for _, s := range t.Sections {
			for _, r := range s.Rows {
				label, _, _ := strings.Cut(strings.TrimSuffix(strings.TrimSuffix(r.Label, " direct"), " indirect"), " of ")
				for _, m := range figure.AnswersOf(t, s.Block, r.Label).Models {
					name := letters(m.Model) + letters(s.Task) + letters(label)
					name = strings.ToLower(name[:1]) + name[1:]
					if m.Here.State == table.Number {
						command(name, fmt.Sprintf("%.*f", m.Here.Decimals, m.Here.Mean))
						if half, known := m.Here.HalfWidth(); known {
							command(name+"Interval", fmt.Sprintf("%.*f", m.Here.Decimals, half))
						}
					}
					if m.Published.State == table.Number {
						command(name+"Paper", fmt.Sprintf("%.*f", m.Published.Decimals, m.Published.Mean))
					}
				}
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// letters converts a name to letters for a LaTeX command: capitalized words, numbers in
// words.
func letters(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	var b strings.Builder
	for _, word := range words {
		digits := strings.IndexFunc(word, unicode.IsDigit)
		if digits < 0 {
			digits = len(word)
		}
		if digits > 0 {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:digits])
		}
		if number, ok := numbers[word[digits:]]; ok {
			b.WriteString(number)
			continue
		}
		for _, digit := range word[digits:] {
			b.WriteString(numbers[string(digit)])
		}
	}
	return b.String()
}

var numbers = map[string]string{"": "", "0": "Zero", "1": "One", "2": "Two", "3": "Three", "4": "Four", "5": "Five", "6": "Six", "7": "Seven", "8": "Eight", "9": "Nine",
	"10": "Ten", "20": "Twenty"}
