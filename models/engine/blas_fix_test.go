//go:build openblas && cgo && unix

package engine

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/cpu"
)

// mistaken is set in a process that is to take OPENBLAS_CORETYPE, which OpenBLAS
// read when it was loaded, for OpenBLAS's own choice.
const mistaken = "MEMOBENCH_TEST_MISTAKEN_CORE"

// TestMain is also the program that TestCoreTypeIsRepaired starts.
func TestMain(m *testing.M) {
	switch os.Getenv(mistaken) {
	case "":
		os.Exit(m.Run())
	case "yes":
		os.Unsetenv("OPENBLAS_CORETYPE")
		os.Setenv(mistaken, "restarted")
	}
	FixBLAS()
	b := BLAS()
	fmt.Printf("%s|%s", b.Name, b.Note)
	os.Exit(0)
}

// TestCoreTypeIsRepaired: a program in which OpenBLAS took the CPU for an old one
// starts again with one that has its vector units, says so, and a core type that the
// user has set is left alone.
func TestCoreTypeIsRepaired(t *testing.T) {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasFMA {
		t.Skip("this CPU has no vector units that OpenBLAS could overlook")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(coreNoteEnv, "") // restores it at the end
	os.Unsetenv(coreNoteEnv)
	start := func(core, as string) (name, note string) {
		t.Helper()
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), "OPENBLAS_CORETYPE="+core, mistaken+"="+as)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		name, note, _ = strings.Cut(string(out), "|")
		return name, note
	}
	if name, note := start("Prescott", "yes"); strings.Contains(name, "Prescott") || !strings.Contains(note, "restarted with OPENBLAS_CORETYPE=") {
		t.Errorf("mistaken for a Prescott: %q, note %q", name, note)
	}
	if name, note := start("Prescott", "no"); !strings.Contains(name, "Prescott") || note != "" {
		t.Errorf("set by the user: %q, note %q", name, note)
	}
	if name, note := start("Haswell", "yes"); !strings.Contains(name, "Haswell") || note != "" {
		t.Errorf("a core type that uses the vector units: %q, note %q", name, note)
	}
}
