package tfrecord

import "fmt"

// Error is a file that breaks the format.
type Error struct {
	File    string
	Offset  int64 // bytes from the start of the file
	Problem string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: offset %d: %s", e.File, e.Offset, e.Problem)
}
