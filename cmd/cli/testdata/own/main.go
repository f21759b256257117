package main

import (
	"os"

	_ "example.com/own/frequent"
	"memobench/cmd/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:])) }
