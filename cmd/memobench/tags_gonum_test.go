//go:build !(openblas && cgo)

package main

// buildTags builds the tested program like its tests.
var buildTags []string
