// Package progress shows the progress of runs: one line that is rewritten in place on a
// terminal, an occasional plain line elsewhere. Lines never wrap, several runs share one,
// and the end of every run is printed.
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

// Intervals between lines: on a terminal the line is rewritten, elsewhere each is kept.
const (
	terminalEvery = 100 * time.Millisecond
	plainEvery    = 15 * time.Second
)

// Display shows the state of one or more runs. It is safe for concurrent
// use.
type Display struct {
	mu     sync.Mutex
	out    io.Writer
	raw    io.Writer        // the same, for what wipes a line
	total  int              // runs altogether
	jobs   int              // runs at a time
	width  func() int       // of the terminal; nil where there is none
	now    func() time.Time // time.Now but in tests
	every  time.Duration
	last   time.Time // of the last line
	open   []string  // names of the runs under way, in order of appearance
	at     map[string]State
	seen   map[string]time.Time // of the last state of each run
	work   map[string]*work     // by State.Group
	closed int                  // runs that have ended
	drawn  bool                 // the terminal shows a line without a line break
}

// work is what the runs of a group have to do, and what that takes.
type work struct {
	left  int           // steps, of all runs
	done  int           // steps since the display was made, so without those before a resumption
	spent time.Duration // by the runs on these steps, in sum
}

// New returns a display of one run that writes to out.
func New(out io.Writer) *Display {
	d := &Display{
		out: out, raw: printable.Raw(out), total: 1, jobs: 1, now: time.Now, every: plainEvery,
		at: map[string]State{}, seen: map[string]time.Time{}, work: map[string]*work{},
	}
	if _, terminal := printable.Terminal(out); terminal && os.Getenv("TERM") != "dumb" {
		d.every = terminalEvery
		d.width = func() int { // it may change
			width, _ := printable.Terminal(out)
			return cmp.Or(width, 80)
		}
	}
	return d
}

// Plan says which runs will be shown, at most jobs at a time: of each its group and its steps.
func (d *Display) Plan(jobs int, runs []State) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.total, d.jobs = len(runs), max(1, min(jobs, len(runs)))
	for _, s := range runs {
		d.workOf(s.Group).left += s.Steps
	}
}

// workOf returns the work of a group.
func (d *Display) workOf(group string) *work {
	if d.work[group] == nil {
		d.work[group] = new(work)
	}
	return d.work[group]
}

// Show takes the new state of the run with its name.
func (d *Display) Show(s State) {
	d.mu.Lock()
	defer d.mu.Unlock()
	old, known := d.at[s.Name]
	now, w := d.now(), d.workOf(s.Group)
	if known && old.Phase == "" { // not while it is evaluated at the end
		w.done += s.Step - old.Step
		w.spent += now.Sub(d.seen[s.Name])
	}
	w.left -= s.Step - old.Step
	d.seen[s.Name] = now
	if len(s.Kinds) == 0 {
		s.Kinds = old.Kinds // from the last evaluation
	}
	if !known {
		d.open = append(d.open, s.Name)
	}
	d.at[s.Name] = s
	if s.Closed {
		w.left -= s.Steps - s.Step // of a run that stopped early or had ended before
		d.close(s)
		return
	}
	every := d.every
	if s.Phase != old.Phase && d.width == nil {
		every = 0 // once per run, and evaluation may take long
	}
	if now.Sub(d.last) < every {
		return
	}
	d.last = now
	d.draw(s)
}

// close removes a run and prints how it ended.
func (d *Display) close(s State) {
	delete(d.at, s.Name)
	d.open = slices.DeleteFunc(d.open, func(name string) bool { return name == s.Name })
	d.closed++
	d.print(s.Name + ": " + s.line())
}

// Print writes a separate line, such as a warning.
func (d *Display) Print(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.print(text)
}

func (d *Display) print(text string) {
	d.wipe()
	if d.width != nil {
		text = printable.Wrap(text, d.width(), 2)
	}
	fmt.Fprintln(d.out, text)
}

// Close ends the display.
func (d *Display) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wipe()
}

// draw writes the line: of all runs on a terminal, else of the run that changed.
func (d *Display) draw(moved State) {
	if d.width == nil {
		fmt.Fprintln(d.out, d.prefix()+moved.Name+": "+moved.line())
		return
	}
	line := d.combined(d.width() - 1) // a full last column would wrap
	io.WriteString(d.raw, wipeLine)
	io.WriteString(d.out, line)
	d.drawn = true
}

// wipeLine clears the line of a terminal.
const wipeLine = "\r\x1b[K"

// wipe clears the line on a terminal.
func (d *Display) wipe() {
	if d.drawn {
		io.WriteString(d.raw, wipeLine)
		d.drawn = false
	}
}

// prefix prints how many of several runs have ended, and an estimate of the time that the
// others take: a lower bound while the speed of a group is unknown.
func (d *Display) prefix() string {
	if d.total < 2 {
		return ""
	}
	var left time.Duration
	word := "about"
	for _, w := range d.work {
		switch {
		case w.left <= 0:
		case w.done == 0:
			word = "at least"
		default:
			left += time.Duration(float64(w.spent) / float64(w.done) * float64(w.left) / float64(d.jobs))
		}
	}
	for _, s := range d.at { // the last runs run alone
		left = max(left, s.Left)
	}
	if left == 0 {
		return fmt.Sprintf("[%d/%d done] ", d.closed, d.total)
	}
	return fmt.Sprintf("[%d/%d done, %s %s left] ", d.closed, d.total, word, Duration(left))
}

// combined returns the line for all active runs: the longest form that fits into the
// width, or the beginning of the shortest.
func (d *Display) combined(width int) string {
	var forms []string
	if len(d.open) == 1 {
		s := d.at[d.open[0]]
		forms = []string{s.Name + " " + bar(s.Step, s.Steps) + " " + s.line(), s.Name + " " + s.line(), s.brief(false), s.brief(true)}
	} else {
		for _, short := range []bool{false, true} {
			var parts []string
			for _, name := range d.open {
				parts = append(parts, d.at[name].brief(short))
			}
			forms = append(forms, strings.Join(parts, " | "))
		}
	}
	line := ""
	for _, form := range forms {
		if line = d.prefix() + form; len([]rune(line)) <= width {
			return line
		}
	}
	cut := string([]rune(line)[:max(0, width-2)])
	if space := strings.LastIndexByte(cut, ' '); space > 0 {
		cut = cut[:space]
	}
	return cut + ".."
}

// bar is a progress bar of ten characters.
func bar(step, steps int) string {
	const places = 10
	full := 0
	if steps > 0 {
		full = min(places, places*step/steps)
	}
	return "[" + strings.Repeat("=", full) + strings.Repeat(" ", places-full) + "]"
}
