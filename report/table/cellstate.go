package table

import (
	"encoding/json"
	"fmt"
)

// State says what a cell holds.
type State int

// The states of a cell.
const (
	Blank   State = iota // nothing belongs here
	Missing              // a measured number that no record holds
	Unknown              // a published number that the paper does not print, or one that the runs were not asked for
	Number               // Mean, SD and N are set
	Text                 // Words is set
)

var stateNames = []string{"blank", "missing", "unknown", "number", "text"}

// String returns the state's name.
func (s State) String() string {
	if s < 0 || int(s) >= len(stateNames) {
		return fmt.Sprintf("State(%d)", int(s))
	}
	return stateNames[s]
}

// MarshalText makes JSON hold the name.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Role says what the numbers of a column are.
type Role int

// The roles of columns.
const (
	Measured   Role = iota // over all seeds
	Selected               // over the runs that the paper's rule would choose
	Published              // the paper's, not ours
	Difference             // measured less published
	Setting                // no results: values that were set
	Judged                 // whether measured and published agree
)

var roleNames = []string{"measured", "selected", "published", "difference", "setting", "verdict"}

// String returns the role's name.
func (r Role) String() string {
	if r < 0 || int(r) >= len(roleNames) {
		return fmt.Sprintf("Role(%d)", int(r))
	}
	return roleNames[r]
}

// MarshalText makes JSON hold the name.
func (r Role) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// MarshalJSON leaves out the mean where the cell holds no number, and the deviation
// where there is none: a reader must not take the 0 of an empty cell for a result.
func (c Cell) MarshalJSON() ([]byte, error) {
	type fields Cell
	out := struct {
		fields
		Mean *float64 `json:"mean,omitempty"`
		SD   *float64 `json:"sd,omitempty"`
	}{fields: fields(c)}
	if c.State == Number {
		out.Mean = &c.Mean
	}
	if c.HasSD {
		out.SD = &c.SD
	}
	return json.Marshal(out)
}
