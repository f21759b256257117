//go:build !amd64 || purego

package vector

import "testing"

const fastHere = false

func setFast(testing.TB, bool) {}
