//go:build openblas && cgo

package engine

/*
#cgo pkg-config: openblas
#include <stdlib.h>
extern char *openblas_get_config(void);
extern char *openblas_get_corename(void);
extern int openblas_get_num_threads(void);
extern void openblas_set_num_threads(int);
*/
import "C"

import (
	"fmt"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/cpu"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/netlib/blas/netlib"
	"gorgonia.org/tensor"
)

func init() {
	// Gorgonia's tensors do not follow blas32.Use.
	blas32.Use(netlib.Implementation{})
	blas64.Use(netlib.Implementation{})
	tensor.Use(netlib.Implementation{})
}

// BLAS returns the library in use.
func BLAS() BLASInfo {
	core := C.GoString(C.openblas_get_corename())
	version := "OpenBLAS"
	if f := strings.Fields(C.GoString(C.openblas_get_config())); len(f) > 1 {
		version = f[0] + " " + f[1]
	}
	return BLASInfo{
		Name:    fmt.Sprintf("%s (%s)", version, core),
		Threads: int(C.openblas_get_num_threads()),
		Note:    os.Getenv(coreNoteEnv),
	}
}

// SetBLASThreads sets how many threads one BLAS call may use.
func SetBLASThreads(n int) { C.openblas_set_num_threads(C.int(n)) }

// coreNoteEnv passes the note about a corrected core type to the program that FixBLAS starts.
const coreNoteEnv = "MEMOBENCH_BLAS_NOTE"

// betterCore returns the right OpenBLAS core type if OpenBLAS chose one that does not use the
// CPU's vector units; else "". OpenBLAS 0.3.21 takes some recent server CPUs for a "Prescott"
// (SSE3 only) and then runs at a third of the speed.
func betterCore() string {
	switch core := C.GoString(C.openblas_get_corename()); strings.ToLower(core) {
	case "prescott", "core2", "penryn", "dunnington", "nehalem", "generic":
	default:
		return ""
	}
	switch {
	case cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL:
		return "SKYLAKEX"
	case cpu.X86.HasAVX2 && cpu.X86.HasFMA:
		return "HASWELL"
	}
	return ""
}

// FixBLAS restarts the program with OPENBLAS_CORETYPE set if OpenBLAS has taken the CPU for a
// much older one; OpenBLAS reads the variable only at start-up. A core type set by the user
// is not changed. FixBLAS returns if nothing is wrong or the restart fails.
func FixBLAS() {
	core := betterCore()
	if core == "" || os.Getenv("OPENBLAS_CORETYPE") != "" {
		return
	}
	self, err := os.Executable()
	if err != nil {
		return
	}
	note := fmt.Sprintf("OpenBLAS took this CPU for an older one; restarted with OPENBLAS_CORETYPE=%s", core)
	env := append(os.Environ(), "OPENBLAS_CORETYPE="+core, coreNoteEnv+"="+note)
	// On success Exec does not return; on failure the slower core still works.
	_ = syscall.Exec(self, os.Args, env)
}
