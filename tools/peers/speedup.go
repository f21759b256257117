package main

import (
	"fmt"
	"io"
	"strings"

	"memobench/benchmarks/scaling/slope"
)

// measureSpeedup times our step with one thread and with several, with several first if severalFirst.
func (c *contest) measureSpeedup(o *options, ours *benchmarkProgram, severalFirst bool) error {
	c.peers = nil
	threads := []int{1, o.threads}
	if severalFirst {
		threads = []int{o.threads, 1}
	}
	for _, n := range threads {
		s, err := ours.step(c.pairing, n, c.full)
		if err != nil {
			return err
		}
		if n == 1 {
			c.single = append(c.single, s)
		} else {
			c.ours = append(c.ours, s)
		}
	}
	return nil
}

func (t *table) printSpeedup(w io.Writer) error {
	o := t.options
	var text strings.Builder
	fmt.Fprintf(&text, "A training step (forward, backward, Adam) with %d threads beside one.\n", o.threads)
	fmt.Fprintf(&text, "Sizes, batches and data of preset %s. BLAS: %s.\n", t.presets(), t.contests[0].ours[0].blas)
	for _, line := range labels(t.contests) {
		fmt.Fprintln(&text, line)
	}
	fmt.Fprint(&text, t.machine())
	fmt.Fprintf(&text, "Medians of %d interleaved runs of %v or more; in brackets the smallest and the largest of the rounds.\n", o.rounds, o.time)
	header := []string{"task", "model", "wall ms, 1 thread", fmt.Sprintf("%d threads", o.threads), "speed-up", "CPU ms, 1 thread", fmt.Sprintf("%d threads", o.threads), "target"}
	var rows [][]string
	for _, c := range t.contests {
		one, several := walls(c.single), walls(c.ours)
		verdict := ""
		if least, ok := c.speedupTarget(); ok && o.threads == 2 {
			verdict = fmt.Sprintf("%g missed", least)
			if slope.Median(one)/slope.Median(several) >= least {
				verdict = fmt.Sprintf("%g met", least)
			}
		}
		rows = append(rows, []string{
			c.task, c.title, milliseconds(slope.Median(one)), milliseconds(slope.Median(several)), ratios(one, several),
			milliseconds(slope.Median(cpus(c.single))), milliseconds(slope.Median(cpus(c.ours))), verdict,
		})
	}
	if err := draw(&text, header, 2, rows); err != nil {
		return err
	}
	fmt.Fprint(&text, t.shorter())
	_, err := io.WriteString(w, text.String())
	return err
}
