//go:build unix

package external

import (
	"os/exec"
	"syscall"
)

func shell(command string) *exec.Cmd {
	c := exec.Command("/bin/sh", "-c", command)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return c
}

// kill kills the process group.
func kill(c *exec.Cmd) { syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
