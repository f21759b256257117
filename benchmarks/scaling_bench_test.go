package benchmarks

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"memobench/benchmarks/scaling"
	"memobench/benchmarks/train"
	"memobench/datasets/must"
)

var (
	longestPass = flag.Duration("scaling.pass", 2*time.Second, "BenchmarkScaling leaves out sizes whose pass might take longer")
	mostMemory  = flag.Int("scaling.memory", 4096, "BenchmarkScaling leaves out sizes that might hold more MiB")
)

// BenchmarkScaling measures a prediction or a training step for one example with I memory
// rows. The counted operations are exact; memobench scaling fits slopes to the times.
// Sizes that the limits exclude are listed on standard error.
func BenchmarkScaling(b *testing.B) {
	for _, s := range scaling.Systems() {
		for _, mode := range scaling.Modes() {
			seconds, held := 0.0, 0 // of a pass at the next size, at most: times grow as I^3, bytes as I^2
			for rows := scaling.MinRows; rows <= 8192; rows *= 2 {
				name := strings.TrimPrefix(scaling.BenchName(s.Name, mode, rows), "Scaling/")
				b.Run(name, func(b *testing.B) {
					if seconds > longestPass.Seconds() || held > *mostMemory<<20 {
						fmt.Fprintf(os.Stderr, "NOT MEASURED %s: a pass might take %.1f s and hold %d MiB, over the limit of %v (-scaling.pass) or %d (-scaling.memory)\n",
							b.Name(), seconds, held>>20, *longestPass, *mostMemory)
						b.SkipNow()
					}
					pass, bytes := scalingPoint(b, s, mode, rows)
					seconds, held = 8*pass, 4*bytes
				})
			}
		}
	}
}

// scalingPoint measures one size and returns the seconds and the bytes of a pass.
func scalingPoint(b *testing.B, s scaling.System, mode scaling.Mode, rows int) (seconds float64, bytes int) {
	m, batch, err := s.Build(rows, 1)
	if err != nil {
		b.Fatal(err)
	}
	must.Do(b, mode.Run(m, batch)) // builds the graph, lets buffers grow
	work := must.Get(mode.Count(m, batch))(b)
	runtime.GC()
	b.ReportAllocs()
	ops, cpu := 0, train.CPUSeconds()
	for b.Loop() {
		must.Do(b, mode.Run(m, batch))
		ops++
	}
	cpu = train.CPUSeconds() - cpu
	passes := float64(ops) / b.Elapsed().Seconds()
	if cpu > 0 {
		b.ReportMetric(cpu*1e9/float64(ops), "cpu-ns/op")
	}
	b.ReportMetric(passes, "examples/s")
	b.ReportMetric(float64(work.Operations()), "FLOP/op")
	b.ReportMetric(float64(work.Operations())*passes, "FLOP/s")
	b.ReportMetric(float64(work.Bytes), "held-B/op")
	return 1 / passes, work.Bytes
}
