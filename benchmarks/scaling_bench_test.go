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

func init() { AddUnits(scaling.Units) }

var (
	longestPass = flag.Duration("scaling.pass", 2*time.Second, "BenchmarkScaling leaves out sizes whose pass takes longer")
	mostMemory  = flag.Int("scaling.memory", 4096, "BenchmarkScaling leaves out sizes that hold more MiB")
)

// BenchmarkScaling measures a prediction or a training step for one example with I memory
// rows. The counted operations are exact; memobench scaling fits slopes to the times.
// Sizes that the limits exclude are listed on standard error.
func BenchmarkScaling(b *testing.B) {
	for _, s := range scaling.Systems() {
		for _, mode := range scaling.Modes() {
			speed := 1e9 // operations a second at the size before
			for _, rows := range scaling.Doublings(scaling.MinRows, 8192) {
				name := strings.TrimPrefix(scaling.BenchName(s.Name, mode, rows), "Scaling/")
				b.Run(name, func(b *testing.B) {
					if reached := scalingPoint(b, s, mode, rows, speed); reached > 0 {
						speed = reached
					}
				})
			}
		}
	}
}

// scalingPoint measures one size and returns the operations per second; 0 if it was
// excluded, since it would take too long at the given speed or too much memory.
func scalingPoint(b *testing.B, s scaling.System, mode scaling.Mode, rows int, speed float64) float64 {
	m, batch, err := s.Build(rows, 1)
	if err != nil {
		b.Fatal(err)
	}
	cost := must.Get(mode.Cost(m, batch))(b)
	leaveOut := func(format string, args ...any) float64 {
		fmt.Fprintf(os.Stderr, "NOT MEASURED %s: %s\n", b.Name(), fmt.Sprintf(format, args...))
		b.SkipNow()
		return 0
	}
	if held := (cost.Bytes() + cost.Weights) >> 20; held > *mostMemory {
		return leaveOut("would hold %d MiB, over the limit of %d (-scaling.memory)", held, *mostMemory)
	}
	if seconds := float64(cost.Operations()) / speed; seconds > longestPass.Seconds() {
		return leaveOut("a pass would take about %.1f s, over the limit of %v (-scaling.pass)", seconds, *longestPass)
	}
	if err := mode.Run(m, batch); err != nil { // builds the graph, lets buffers grow
		b.Fatal(err)
	}
	runtime.GC()
	b.ReportAllocs()
	ops, cpu := 0, train.CPUSeconds()
	for b.Loop() {
		must.Do(b, mode.Run(m, batch))
		ops++
	}
	cpu = train.CPUSeconds() - cpu
	perSecond := float64(ops) / b.Elapsed().Seconds()
	if cpu > 0 {
		b.ReportMetric(cpu*1e9/float64(ops), "cpu-ns/op")
	}
	b.ReportMetric(perSecond, "examples/s")
	b.ReportMetric(float64(cost.Operations()), "FLOP/op")
	b.ReportMetric(float64(cost.Operations())*perSecond, "FLOP/s")
	b.ReportMetric(float64(cost.Bytes()), "held-B/op")
	return float64(cost.Operations()) * perSecond
}
