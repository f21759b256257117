//go:build !unix || solaris || aix

package train

// processSeconds returns 0: the CPU time is not known on this system.
func processSeconds() float64 { return 0 }
