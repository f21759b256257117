//go:build unix && !solaris && !aix

package binfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// TryLock takes an exclusive lock on f without waiting; false when another
// process has it, true on a file system without locks. The system releases it when the
// process ends, however it ends.
func TryLock(f *os.File) (bool, error) {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, unix.EWOULDBLOCK):
			return false, nil
		case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.ENOLCK), errors.Is(err, unix.EOPNOTSUPP): // no locks here
			return true, nil
		case !errors.Is(err, unix.EINTR):
			return false, err
		}
	}
}
