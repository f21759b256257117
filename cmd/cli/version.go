package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"memobench/benchmarks/record"
	"memobench/models/engine"
)

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of the code, of Go and of the BLAS",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprint(p.stdout, versions())
			return err
		},
	}
}

func versions() string {
	return fmt.Sprintf("memobench %s\n%s %s/%s\n%s\n",
		record.CodeVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH, engine.BLAS().Name)
}
