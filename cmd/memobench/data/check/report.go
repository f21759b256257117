package check

import (
	"fmt"
	"io"
	"strings"
)

// Report is what was found at a path.
type Report struct {
	Path   string   `json:"path"`
	Parts  []Part   `json:"parts"`
	Errors int      `json:"errors"` // of all parts
	First  []string `json:"first"`  // the first of them
	Notes  []string `json:"notes"`  // what is no error, and may matter
}

// Part is the files of one form.
type Part struct {
	Form   string  `json:"form"` // "bAbI stories", ...
	Files  int     `json:"files"`
	Counts []Count `json:"counts"`
	Errors int     `json:"errors"`
}

// Count says how many there are of something.
type Count struct {
	What string `json:"what"` // "stories"
	N    int    `json:"n"`
}

// shown is how many errors a report keeps.
const shown = 10

// add counts an error.
func (r *Report) add(err error) {
	if r.Errors++; len(r.First) < shown {
		r.First = append(r.First, err.Error())
	}
}

func (r *Report) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// count adds n to what a part has of something.
func (p *Part) count(what string, n int) {
	for i := range p.Counts {
		if p.Counts[i].What == what {
			p.Counts[i].N += n
			return
		}
	}
	p.Counts = append(p.Counts, Count{what, n})
}

// WriteText writes the report for a reader.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, p := range r.Parts {
		fmt.Fprintf(&b, "%s: %s, %d %s", r.Path, p.Form, p.Files, plural("file", p.Files))
		for _, c := range p.Counts {
			fmt.Fprintf(&b, ", %d %s", c.N, counted(c.What, c.N))
		}
		fmt.Fprintf(&b, ": %s\n", errorsOf(p.Errors))
	}
	for _, e := range r.First {
		fmt.Fprintf(&b, "  %s\n", e)
	}
	if more := r.Errors - len(r.First); more > 0 {
		fmt.Fprintf(&b, "  and %d more\n", more)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func errorsOf(n int) string {
	if n == 0 {
		return "no errors"
	}
	return fmt.Sprintf("%d %s", n, plural("error", n))
}

// counted returns a word that stands in the plural as n of them need it.
func counted(words string, n int) string {
	if n != 1 {
		return words
	}
	if stem, ok := strings.CutSuffix(words, "ies"); ok {
		return stem + "y"
	}
	return strings.TrimSuffix(words, "s")
}

func plural(word string, n int) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
