//go:build !unix || solaris || aix

package benchmarks

// cpuSeconds returns 0: the processor time is not known on this system.
func cpuSeconds() float64 { return 0 }
