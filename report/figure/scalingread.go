package figure

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"memobench/benchmarks/record"
)

// ScalingPoint is the cost of one operation at one size: a line of a file in the Go benchmark format,
// BenchmarkScaling/model=memo/mode=infer/I=256.
type ScalingPoint struct {
	Model, Mode string
	Rows        int                // I
	Values      map[string]float64 // by unit, as written: "cpu-ns/op"
}

// scalingName begins the names of the lines that are read.
const scalingName = "Scaling/"

// ReadScaling reads the lines of BenchmarkScaling from a file in the Go benchmark
// format; other lines are left alone. It refuses a value that is not a finite
// number above 0, a name without its parts, and a line without any of the units
// that are drawn. Errors name file and line.
func ReadScaling(path string) ([]ScalingPoint, error) {
	data, err := record.ReadRegular(path, record.MaxTextSize)
	if err != nil {
		return nil, err
	}
	points, err := parseScaling(path, data)
	if err != nil {
		return nil, fmt.Errorf("reading scaling: %w", err)
	}
	return points, nil
}

func parseScaling(path string, data []byte) ([]ScalingPoint, error) {
	var points []ScalingPoint
	r := benchfmt.NewReader(bytes.NewReader(data), path)
	for r.Scan() {
		switch line := r.Result().(type) {
		case *benchfmt.SyntaxError:
			if strings.Contains(line.Error(), scalingName) {
				return nil, line
			}
		case *benchfmt.Result:
			if !strings.HasPrefix(string(line.Name.Full()), scalingName) {
				continue
			}
			p, err := scalingPoint(line)
			if err != nil {
				file, at := line.Pos()
				return nil, fmt.Errorf("%s:%d: %w", file, at, err)
			}
			points = append(points, p)
		}
	}
	return points, r.Err()
}

// scalingPoint reads one line.
func scalingPoint(line *benchfmt.Result) (ScalingPoint, error) {
	p := ScalingPoint{Values: map[string]float64{}}
	_, parts := line.Name.Parts()
	for _, part := range parts {
		key, value, _ := strings.Cut(strings.TrimPrefix(string(part), "/"), "=")
		switch key {
		case "model":
			p.Model = value
		case "mode":
			p.Mode = value
		case "I":
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 {
				return p, fmt.Errorf("%s: I=%s, want a whole number, 1 or more", line.Name.Full(), value)
			}
			p.Rows = n
		}
	}
	if p.Model == "" || p.Mode == "" || p.Rows == 0 {
		return p, fmt.Errorf("%s: want Scaling/model=.../mode=.../I=...", line.Name.Full())
	}
	for _, v := range line.Values {
		unit, value := v.OrigUnit, v.OrigValue
		if unit == "" {
			unit, value = v.Unit, v.Value
		}
		if !drawn(unit) {
			continue
		}
		if math.IsNaN(value) || math.IsInf(value, 0) || value < 0 {
			return p, fmt.Errorf("%s: %v %s, want a finite number not below 0", line.Name.Full(), value, unit)
		}
		p.Values[unit] = value
	}
	if len(p.Values) == 0 {
		return p, fmt.Errorf("%s: none of the units cpu-ns/op, held-B/op, B/op, FLOP/op", line.Name.Full())
	}
	return p, nil
}
