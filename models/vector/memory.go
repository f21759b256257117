package vector

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// alignment is the length of a cache line in bytes.
const alignment = 64

// Make returns n zeros aligned to a cache line. Besides faster loads, this makes gonum's BLAS,
// which processes elements before an aligned address one by one, sum in an order that does not
// depend on the address. It panics with an OutOfMemory if all large arrays together would be
// larger than the machine's memory.
func Make[T Float | int32](n int) []T {
	if n == 0 {
		return nil
	}
	size := int(unsafe.Sizeof(T(0)))
	if n >= largeArray/size {
		reserve(n, size)
	}
	room := make([]T, n+alignment/size-1)
	if n >= largeArray/size {
		runtime.AddCleanup(&room[0], func(bytes int64) { reserved.Add(-bytes) }, int64(n*size))
	}
	past := int(uintptr(unsafe.Pointer(&room[0])) % alignment)
	first := (alignment - past) % alignment / size
	return room[first : first+n : first+n]
}

// Grow returns s with n elements, reusing its storage if it is large enough; else n zeros.
func Grow[T Float | int32](s []T, n int) []T {
	if cap(s) < n {
		s = Make[T](n)
	}
	if counting.Load() {
		countBuffer(unsafe.Pointer(unsafe.SliceData(s)), n*int(unsafe.Sizeof(T(0))))
	}
	return s[:n]
}

// OutOfMemory is the reason for which a computation stopped before the system would have ended
// the process.
type OutOfMemory struct{ Need, Have float64 } // bytes

func (e *OutOfMemory) Error() string {
	return fmt.Sprintf("%.3g GiB of memory or more, this machine has %.3g GiB", e.Need/(1<<30), e.Have/(1<<30))
}

// largeArray is the size in bytes from which arrays are reserved.
const largeArray = 16 << 20

// reserved is the size of all large arrays in bytes.
var reserved atomic.Int64

func reserve(n, size int) {
	for attempt := range 2 {
		need := float64(reserved.Load()) + float64(n)*float64(size)
		if need <= machineMemory() {
			break
		}
		if attempt > 0 {
			panic(&OutOfMemory{need, machineMemory()})
		}
		runtime.GC()
		time.Sleep(50 * time.Millisecond) // until the cleanups have run
	}
	reserved.Add(int64(n * size))
}

// machineMemory returns the bytes of memory that a process may use, as Linux reports them;
// 64 GiB on other systems.
var machineMemory = sync.OnceValue(func() float64 {
	have := float64(64 << 30)
	var kB, limit float64
	if data, err := os.ReadFile("/proc/meminfo"); err == nil {
		if _, err := fmt.Sscanf(string(data), "MemTotal: %f kB", &kB); err == nil {
			have = 1024 * kB
		}
	}
	if data, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil { // "max" without a limit
		if _, err := fmt.Sscan(string(data), &limit); err == nil {
			have = min(have, limit)
		}
	}
	return have
})
