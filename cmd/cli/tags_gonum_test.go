//go:build !(openblas && cgo)

package cli

// buildTags builds the tested program like its tests.
var buildTags []string
