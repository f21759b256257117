//go:build unix && !solaris && !aix

package train

import "golang.org/x/sys/unix"

// processSeconds returns the CPU time that this process has used so far on all cores, 0
// where the system does not report it.
func processSeconds() float64 {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
