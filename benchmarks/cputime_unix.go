//go:build unix && !solaris && !aix

package benchmarks

import "golang.org/x/sys/unix"

// cpuSeconds returns the processor time of this process so far, all cores.
func cpuSeconds() float64 {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
