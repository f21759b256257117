//go:build unix

package gate

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"memobench/report/table"
)

// Time grows linearly with the number of cells and of runs: of 20,000 tasks with
// five runs each, and of one with 100,000.
func TestManyTasks(t *testing.T) {
	cpu := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			t.Skip(err)
		}
		return time.Duration(u.Utime.Nano())
	}
	start := cpu()
	for _, tasks := range []int{20000, 1} {
		var a, b strings.Builder
		for task := range tasks {
			for seed := range 100000 / tasks {
				line := func(value int) string {
					return fmt.Sprintf("BenchmarkEval/task=t%d/model=memo/seed=%d 1 %v accuracy\n", task, seed, 90+float64(value%1000)/1000)
				}
				a.WriteString(line(seed*7919 + task))
				b.WriteString(line(seed*104729 + task))
			}
		}
		r := check(t, a.String(), b.String(), Defaults())
		var text strings.Builder
		if err := r.Print(&text, table.Style{}); err != nil || len(r.Findings) != tasks {
			t.Errorf("%d findings, %v", len(r.Findings), err)
		}
		if told := strings.Contains(text.String(), "The table has 1000 of 20000 cells"); told != (tasks == 20000) {
			t.Errorf("%d tasks: left out of the table: %v", tasks, told)
		}
	}
	if took := cpu() - start; took > 60*time.Second {
		t.Errorf("took %v of CPU time", took)
	}
}
