//go:build !(openblas && cgo && unix)

package engine

// FixBLAS has nothing to mend in this build.
func FixBLAS() {}
