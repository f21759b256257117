package progress

import (
	"strings"
	"testing"
	"time"
)

// clock is a time that a test sets.
type clock struct{ t time.Time }

func (c *clock) now() time.Time       { return c.t }
func (c *clock) pass(d time.Duration) { c.t = c.t.Add(d) }
func newClock() *clock                { return &clock{t: time.Unix(1e9, 0)} }
func terminal(width int) func() int   { return func() int { return width } }
func lastLine(s string) string        { return s[strings.LastIndex(s, "\r\x1b[K")+len("\r\x1b[K"):] }
func standing(name string, i int) State {
	return State{Name: name, Step: i, Steps: 100, Loss: 0.5, Speed: 2000, Left: 80 * time.Second}
}

func TestPlainOutputIsOccasional(t *testing.T) {
	var out strings.Builder
	c := newClock()
	d := New(&out)
	d.now = c.now
	for i := 1; i <= 100; i++ {
		d.Show(standing("memo", i))
		c.pass(time.Second)
	}
	d.Show(State{Name: "memo", Closed: true, Note: "complete"})
	d.Close()
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 7+1 { // steps 1, 16, 31, ... 91 and the end
		t.Errorf("%d lines, want 8:\n%s", len(lines), out.String())
	}
	if want := "memo: step 1/100, loss 0.500, 2000 examples/s, 1m20s left"; lines[0] != want {
		t.Errorf("first line %q, want %q", lines[0], want)
	}
	if lines[len(lines)-1] != "memo: complete" {
		t.Errorf("last line %q", lines[len(lines)-1])
	}
	if strings.ContainsAny(out.String(), "\r\x1b") {
		t.Errorf("control characters in plain output: %q", out.String())
	}
}

func TestTerminalLineIsRewrittenAndNeverWraps(t *testing.T) {
	var out strings.Builder
	c := newClock()
	d := New(&out)
	d.now, d.width, d.every = c.now, terminal(40), 100*time.Millisecond
	for i := range 20 {
		s := standing("memo pai3 seed 1", i)
		s.Kinds = []Kind{{"A-B", 98.25}, {"A-C", 60}}
		d.Show(s)
		c.pass(time.Second)
	}
	if strings.Contains(out.String(), "\n") {
		t.Errorf("line break while the line is rewritten: %q", out.String())
	}
	for _, line := range strings.Split(out.String(), "\r\x1b[K") {
		if n := len([]rune(line)); n > 39 {
			t.Errorf("line of %d columns on a terminal of 40: %q", n, line)
		}
	}
	d.Show(State{Name: "memo pai3 seed 1", Closed: true, Note: "complete"})
	if !strings.HasSuffix(out.String(), "\r\x1b[Kmemo pai3 seed 1: complete\n") {
		t.Errorf("the end does not stand alone on its line: %q", out.String())
	}
}

func TestSeveralRunsShareALine(t *testing.T) {
	var out strings.Builder
	c := newClock()
	d := New(&out)
	d.Plan(2, make([]State, 6))
	d.now, d.width, d.every = c.now, terminal(200), 0
	d.Show(standing("emn 1", 10))
	d.Show(standing("memo 1", 30))
	line := lastLine(out.String())
	for _, want := range []string{"[0/6 done", "emn 1 10%", "memo 1 30%"} {
		if !strings.Contains(line, want) {
			t.Errorf("line %q lacks %q", line, want)
		}
	}
	d.Show(State{Name: "emn 1", Closed: true, Note: "complete"})
	d.Show(standing("memo 1", 40))
	if line := lastLine(out.String()); !strings.Contains(line, "[1/6 done") || strings.Contains(line, "emn") {
		t.Errorf("after one run ended: %q", line)
	}
}

func TestTextOfAccuracyAndDuration(t *testing.T) {
	var s State
	for i := range 20 {
		s.Kinds = append(s.Kinds, Kind{Name: strings.Repeat("x", i+1), Accuracy: 80 + float64(i)})
	}
	for got, want := range map[string]string{
		Accuracy(s.Kinds):                 "mean of 20 89.5 %, lowest 80.0 % (x)",
		Duration(4400 * time.Millisecond): "4s",
		Duration(200 * time.Second):       "3m20s",
		Duration(125 * time.Minute):       "2h5m",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// A run costs what the runs of its group have cost in this call: steps that were done
// before do not count, nor do runs that had ended.
func TestTimeLeftOfSeveralRuns(t *testing.T) {
	var out strings.Builder
	c := newClock()
	d := New(&out)
	d.now, d.width, d.every = c.now, terminal(200), 0
	at := func(group, seed string, step int) State {
		return State{Name: group + seed, Group: group, Step: step, Steps: 100}
	}
	d.Plan(2, []State{at("memo", " 0", 0), at("dnc", " 0", 0), at("memo", " 1", 0), at("dnc", " 1", 0), at("memo", " 2", 0)})
	check := func(want string) {
		t.Helper()
		if line := lastLine(out.String()); !strings.HasPrefix(line, want) {
			t.Errorf("line %q, want %q", line, want)
		}
	}
	kept := at("memo", " 0", 0)
	kept.Closed = true
	d.Show(kept)
	d.Show(at("memo", " 1", 90)) // resumed
	check("[1/5 done] ")
	c.pass(10 * time.Second)
	d.Show(at("memo", " 1", 95)) // 2 s per step; left are 5 and 100
	check("[1/5 done, at least 1m45s left] ")
	d.Show(at("dnc", " 0", 0))
	c.pass(10 * time.Second)
	evaluated := at("memo", " 1", 100)
	d.Show(evaluated)
	evaluated.Phase = "evaluating"
	d.Show(evaluated)
	check("[1/5 done, at least 1m40s left] ")
	c.pass(100 * time.Second) // of the evaluation, not of MEMO's steps
	evaluated.Closed = true
	d.Show(evaluated)
	d.Show(at("dnc", " 0", 11)) // 10 s per step; left are 89 and 100
	check("[2/5 done, about 17m25s left] ")
	slow := at("dnc", " 0", 11)
	slow.Left = time.Hour // by its own estimate
	d.Show(slow)
	check("[2/5 done, about 1h0m left] ")
	slow.Closed = true // early: its other steps are not made
	d.Show(slow)
	d.Show(at("memo", " 2", 0))
	check("[3/5 done, about 10m0s left] ")
}

func TestTheLongestFormThatFits(t *testing.T) {
	s := standing("pai3 memo seed 1", 50)
	s.Short, s.Kinds = "memo 1", []Kind{{"A-B", 98}, {"A-C", 61}}
	other := State{Name: "writing", Step: 3, Steps: 4, Done: "3 of 4 MiB", Left: 2 * time.Second}
	for want, c := range map[string]struct {
		s     State
		width int
	}{
		"pai3 memo seed 1: step 50/100, loss 0.500, A-B 98.0 A-C 61.0 %, 2000 examples/s, 1m20s left": {s, 120},
		"memo 1 50% loss 0.500 A-B 98.0 A-C 61.0 %":                                                   {s, 60},
		"memo 1 50% loss 0.500 A-B":                                                                   {s, 25},
		"writing: 3 of 4 MiB, 2s left":                                                                {other, 80},
		"writing 75%":                                                                                 {other, 20},
	} {
		d := New(&strings.Builder{})
		d.active = []State{c.s}
		if got := d.activeLine(c.width); got != want {
			t.Errorf("width %d: %q, want %q", c.width, got, want)
		}
	}
}
