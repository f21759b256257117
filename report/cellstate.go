package report

import "fmt"

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
)

var roleNames = []string{"measured", "selected", "published", "difference", "setting"}

// String returns the role's name.
func (r Role) String() string {
	if r < 0 || int(r) >= len(roleNames) {
		return fmt.Sprintf("Role(%d)", int(r))
	}
	return roleNames[r]
}

// MarshalText makes JSON hold the name.
func (r Role) MarshalText() ([]byte, error) { return []byte(r.String()), nil }
