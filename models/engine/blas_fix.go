//go:build openblas && cgo && unix

package engine

import (
	"fmt"
	"os"
	"syscall"
)

// FixBLAS starts the running program again with OPENBLAS_CORETYPE set when
// OpenBLAS has mistaken the CPU for a much older one; OpenBLAS reads the
// variable only at start-up. A core type set by the user is left alone. It
// returns when there is nothing to mend or the program cannot be restarted.
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
