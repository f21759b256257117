package survey

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"memobench/datasets/npy"
)

// Array are the numbers of a .npy file.
type Array struct {
	Path  string `json:"path"`
	Shape []int  `json:"shape"`
	Type  string `json:"type"`
	Bytes int64  `json:"bytes"`

	// Of the finite numbers, 0 where there are none.
	Lowest    float64 `json:"lowest"`
	Highest   float64 `json:"highest"`
	Mean      float64 `json:"mean"`
	NotFinite int     `json:"not_finite,omitempty"`

	Classes *Classes `json:"classes,omitempty"` // of a list of whole numbers
}

// Classes are the numbers of a list of classes.
type Classes struct {
	Distinct int `json:"distinct"`
	Fewest   int `json:"fewest"` // items of a class that has any
	Most     int `json:"most"`
}

// arrays is a table of arrays.
type arrays []Array

// array reads a file to its end.
func array(ctx context.Context, path string, o *Options) (*Array, error) {
	a, err := npy.Open(path)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	out := &Array{Path: path, Shape: a.Shape(), Type: a.Type().String(), Bytes: a.Size(), Lowest: math.Inf(1), Highest: math.Inf(-1)}
	list := a.Type().Integer() && len(out.Shape) == 1
	counts := map[float32]int{}
	var block [1 << 14]float32
	sum := 0.0
	for at := int64(0); at < a.Len() && ctx.Err() == nil; {
		o.tick(path, int(at), int(a.Len()), "numbers")
		values := block[:min(int64(len(block)), a.Len()-at)]
		if err := a.Float32(values, at); err != nil {
			return nil, err
		}
		for _, v := range values {
			x := float64(v)
			if math.IsNaN(x) || math.IsInf(x, 0) {
				out.NotFinite++
				continue
			}
			out.Lowest, out.Highest, sum = min(out.Lowest, x), max(out.Highest, x), sum+x
			if list {
				counts[v]++
			}
		}
		at += int64(len(values))
	}
	if finite := a.Len() - int64(out.NotFinite); finite > 0 {
		out.Mean = sum / float64(finite)
	} else {
		out.Lowest, out.Highest = 0, 0
	}
	if list && len(counts) > 0 {
		out.Classes = &Classes{Distinct: len(counts), Fewest: math.MaxInt}
		for _, n := range counts {
			out.Classes.Fewest, out.Classes.Most = min(out.Classes.Fewest, n), max(out.Classes.Most, n)
		}
	}
	return out, ctx.Err()
}

// WriteText writes a table for a reader.
func (list arrays) WriteText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "array\tshape\ttype\tbytes\tlowest\thighest\tmean\t")
	for _, a := range list {
		note := ""
		if a.NotFinite > 0 {
			note = fmt.Sprintf("%d not finite", a.NotFinite)
		}
		if a.Classes != nil {
			note = strings.TrimLeft(note+fmt.Sprintf(", %d classes of %s items", a.Classes.Distinct, Range{Fewest: a.Classes.Fewest, Most: a.Classes.Most}.span()), ", ")
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%.6g\t%.6g\t%.6g\t%s\n", a.Path, shape(a.Shape), a.Type, a.Bytes, a.Lowest, a.Highest, a.Mean, note)
	}
	return t.Flush()
}

func (r Range) span() string {
	if r.Fewest == r.Most {
		return fmt.Sprint(r.Most)
	}
	return fmt.Sprintf("%d to %d", r.Fewest, r.Most)
}

func shape(s []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(s), " ", " x "), "[]")
}
