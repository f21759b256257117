//go:build !purego

package vector

import "testing"

// fastHere is whether this processor has the vector forms.
var fastHere = fast

func setFast(_ testing.TB, on bool) { fast = on && fastHere }
