// Package progress shows the progress of runs: one line that is rewritten in place on a
// terminal, an occasional plain line elsewhere. A line never wraps, several runs share it, and
// the end of every run is printed on a line of its own.
package progress

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"memobench/benchmarks/printable"
)

// Display shows the state of one or more runs. It is safe for concurrent use.
type Display struct {
	mu     sync.Mutex
	out    io.Writer
	width  func() int       // of the terminal; nil if the output is not one
	now    func() time.Time // time.Now except in tests
	every  time.Duration    // between lines
	last   time.Time        // of the last line
	total  int              // runs
	jobs   int              // runs at a time
	ended  int              // runs
	active []State          // in order of appearance
	work   map[string]work  // by State.Group
	drawn  bool             // the terminal shows a line without a line break
}

// work is the amount of training that the runs of a group need.
type work struct {
	left  int           // steps
	done  int           // steps in this session
	spent time.Duration // on the steps that are done, the sum over runs
}

// New returns a display of one run that writes to out.
func New(out io.Writer) *Display {
	d := &Display{out: out, total: 1, jobs: 1, now: time.Now, every: 15 * time.Second, work: map[string]work{}}
	if _, terminal := printable.Terminal(out); terminal && os.Getenv("TERM") != "dumb" {
		d.every = 100 * time.Millisecond
		d.width = func() int { // it may change
			width, _ := printable.Terminal(out)
			return cmp.Or(width, 80)
		}
	}
	return d
}

// Plan announces the runs, at most jobs at a time, each with its group and its steps.
func (d *Display) Plan(jobs int, runs []State) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.total, d.jobs = len(runs), max(1, min(jobs, len(runs)))
	for _, s := range runs {
		w := d.work[s.Group]
		w.left += s.Steps
		d.work[s.Group] = w
	}
}

// Show shows the new state of the run with the state's name.
func (d *Display) Show(s State) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s.at = d.now()
	i := slices.IndexFunc(d.active, func(other State) bool { return other.Name == s.Name })
	if i < 0 {
		i = len(d.active)
		d.active = append(d.active, State{Name: s.Name})
	}
	old, w := d.active[i], d.work[s.Group]
	if !old.at.IsZero() && old.Phase == "" { // not the steps before a resumption, nor the evaluation at the end
		w.done += s.Step - old.Step
		w.spent += s.at.Sub(old.at)
	}
	w.left -= s.Step - old.Step
	if s.Closed {
		w.left -= s.Steps - s.Step // it stopped early or had ended before
	}
	d.work[s.Group] = w
	if len(s.Kinds) == 0 {
		s.Kinds = old.Kinds // of the last evaluation
	}
	d.active[i] = s
	switch {
	case s.Closed:
		d.active = slices.Delete(d.active, i, i+1)
		d.ended++
		d.print(s.Name + ": " + s.Note)
	case s.at.Sub(d.last) >= d.every || s.Phase != old.Phase && d.width == nil:
		d.last = s.at
		d.draw(s)
	}
}

// Print writes a separate line, such as a warning.
func (d *Display) Print(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.print(text)
}

func (d *Display) print(text string) {
	d.clear()
	if d.width != nil {
		text = printable.Wrap(text, d.width(), 2)
	}
	fmt.Fprintln(d.out, text)
}

// Close ends the display.
func (d *Display) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clear()
}

// clear removes the line from a terminal.
func (d *Display) clear() {
	if d.drawn {
		io.WriteString(printable.Raw(d.out), "\r\x1b[K")
		d.drawn = false
	}
}

// draw writes the line: of all active runs on a terminal, of the changed run elsewhere.
func (d *Display) draw(changed State) {
	if d.width == nil {
		fmt.Fprintln(d.out, d.ofAll()+changed.Name+": "+changed.line())
		return
	}
	d.drawn = true
	d.clear()
	io.WriteString(d.out, d.activeLine(d.width()-1)) // a full last column would wrap
	d.drawn = true
}

// ofAll says how many of several runs have ended, and estimates the time that the others take:
// a lower bound while the speed of a group is unknown.
func (d *Display) ofAll() string {
	if d.total < 2 {
		return ""
	}
	var left time.Duration
	word := "about"
	for _, w := range d.work {
		if w.left > 0 && w.done == 0 {
			word = "at least"
		} else if w.left > 0 {
			left += time.Duration(float64(w.spent) / float64(w.done) * float64(w.left) / float64(d.jobs))
		}
	}
	for _, s := range d.active { // the last runs run alone
		left = max(left, s.Left)
	}
	if left == 0 {
		return fmt.Sprintf("[%d/%d done] ", d.ended, d.total)
	}
	return fmt.Sprintf("[%d/%d done, %s %s left] ", d.ended, d.total, word, Duration(left))
}

// activeLine describes the active runs in at most width columns.
func (d *Display) activeLine(width int) string {
	var parts []string
	for _, s := range d.active {
		parts = append(parts, s.brief())
	}
	line := []rune(d.ofAll() + strings.Join(parts, " | "))
	if len(d.active) == 1 {
		if full := []rune(d.ofAll() + d.active[0].Name + ": " + d.active[0].line()); len(full) <= width {
			return string(full)
		}
	}
	return string(line[:min(width, len(line))])
}
