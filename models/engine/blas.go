package engine

// BLASInfo describes the BLAS in use.
type BLASInfo struct {
	Name    string // "gonum (pure Go)" or "OpenBLAS 0.3.21 (SkylakeX)"
	Threads int    // threads that one call may use
	Note    string // a remark for the user; may be empty
}
