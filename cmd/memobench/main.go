// Command memobench trains memory networks on the tasks of the MEMO paper (Banino et al.,
// ICLR 2020) and compares them; see package cli.
package main

import (
	"os"

	"memobench/cmd/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:])) }
