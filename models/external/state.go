package external

import (
	"fmt"
	"math"
	"strings"

	"memobench/models"
)

// State implements models.Model with the arrays of the process. Arrays whose names begin with
// "optimizer/" have the role Optimizer. Integers are stored as float64, exact up to 2^53, with
// their type in the name.
func (m *model) State() models.State {
	st, err := m.state()
	if err != nil {
		return models.State{} // Err returns err
	}
	return st
}

const (
	stepsCounter     = "steps"
	optimizerPrefix  = "optimizer/"
	integerSeparator = "!" // between the type of an array of integers and its name
)

func (m *model) state() (models.State, error) {
	request := &message{header: header{Type: "save"}}
	answer, err := m.process.request(request, "saved", m.maxState())
	if err != nil {
		return models.State{}, err
	}
	st := models.State{Counters: map[string]int64{stepsCounter: int64(m.steps)}}
	seen, weights := map[string]bool{}, 0
	for _, a := range answer.arrays {
		if a.Name == "" || seen[a.Name] || strings.Contains(a.Name, integerSeparator) {
			return models.State{}, m.process.fail(request, fmt.Errorf("array %q: the name is empty, not the only one, or has a %q", a.Name, integerSeparator))
		}
		seen[a.Name] = true
		t, err := tensor(a)
		if err != nil {
			return models.State{}, m.process.fail(request, err)
		}
		st.Tensors = append(st.Tensors, t)
		if t.Role == models.Weight {
			weights++
		}
	}
	if weights == 0 && len(st.Tensors)+m.parameters > 0 { // with neither, nothing is learned
		return models.State{}, m.process.fail(request, fmt.Errorf("no weights among the %d arrays: want one or more whose name does not begin with %q", len(st.Tensors), optimizerPrefix))
	}
	return st, nil
}

// maxState returns the maximum number of bytes of a state: of a model that says how many parameters
// it has, 64 for each (in float32, 15 times the weights for its optimizer), and 64 MiB for the rest.
func (m *model) maxState() int {
	if m.parameters == 0 || m.parameters > 1<<32 {
		return 2 << 30
	}
	return 64*m.parameters + 64<<20
}

func tensor(a array) (models.Tensor, error) {
	t := models.Tensor{Name: a.Name, Role: models.Weight, Shape: a.Shape}
	if strings.HasPrefix(a.Name, optimizerPrefix) {
		t.Role = models.Optimizer
	}
	switch data := a.Data.(type) {
	case []float32:
		t.F32 = data
		return t, nil
	case []float64:
		t.F64 = data
		return t, nil
	case []int32:
		t.F64 = convert[float64](data)
	case []byte:
		t.F64 = convert[float64](data)
	case []int64:
		for i, v := range data {
			if v > 1<<53 || v < -1<<53 {
				return t, fmt.Errorf("array %q: element %d is %d, beyond 2^53", a.Name, i, v)
			}
		}
		t.F64 = convert[float64](data)
	}
	t.Name = dtype(a.Data) + integerSeparator + a.Name
	return t, nil
}

// Restore implements models.Model. The process checks the arrays.
func (m *model) Restore(st models.State) error {
	steps, ok := st.Counters[stepsCounter]
	if !ok || steps < 0 || steps > math.MaxInt32 {
		return fmt.Errorf("state of an external model: counter %q is %d", stepsCounter, steps)
	}
	request := &message{header: header{Type: "restore"}}
	for _, t := range st.Tensors {
		a := array{Name: t.Name, Shape: t.Shape, Data: t.F32}
		if t.F64 != nil {
			a.Data = t.F64
		}
		if kind, name, integers := strings.Cut(t.Name, integerSeparator); integers {
			a.Name = name
			switch kind {
			case "i32":
				a.Data = convert[int32](t.F64)
			case "i64":
				a.Data = convert[int64](t.F64)
			case "u8":
				a.Data = convert[byte](t.F64)
			default:
				return fmt.Errorf("tensor %q: no type %q", t.Name, kind)
			}
		}
		request.arrays = append(request.arrays, a)
	}
	if _, err := m.process.request(request, "restored", maxSmall); err != nil {
		return err
	}
	m.steps = int(steps)
	return nil
}

// convert converts numbers to another type.
func convert[To, From int32 | int64 | byte | float64](src []From) []To {
	dst := make([]To, len(src))
	for i, v := range src {
		dst[i] = To(v)
	}
	return dst
}
