//go:build !unix

package external

import "os/exec"

func shell(command string) *exec.Cmd { return exec.Command("cmd", "/C", command) }

func kill(c *exec.Cmd) { c.Process.Kill() }
