package main

import (
	"fmt"
	"runtime"

	"memobench/benchmarks/record"
	"memobench/models/engine"
)

// version prints what a result depends on.
func (p *program) version(args []string) error {
	f := p.flags("version", "Print the versions of the code, of Go and of the linear algebra library.")
	if err := f.parse(args, ""); err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "memobench %s\n%s %s/%s\n%s\n",
		record.CodeVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH, engine.BLAS().Name)
	return nil
}
