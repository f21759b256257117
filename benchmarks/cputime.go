package benchmarks

// CPUSeconds returns the processor time that this process has used so far on all
// cores, 0 where the system does not say.
func CPUSeconds() float64 { return cpuSeconds() }
