package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"
)

// How often a line is written: on a terminal it is rewritten, elsewhere each
// is kept.
const (
	terminalEvery = 100 * time.Millisecond
	plainEvery    = 15 * time.Second
)

// Display shows the standings of one or more runs. It is safe for concurrent
// use.
type Display struct {
	mu     sync.Mutex
	out    io.Writer
	total  int              // runs altogether
	width  func() int       // of the terminal; nil where there is none
	now    func() time.Time // time.Now but in tests
	every  time.Duration
	last   time.Time // of the last line
	open   []string  // names of the runs under way, in order of appearance
	at     map[string]Standing
	closed int
	drawn  bool // a line stands on the terminal without a line break
}

// New returns a display of total runs that writes to out.
func New(out io.Writer, total int) *Display {
	d := &Display{out: out, total: total, now: time.Now, every: plainEvery, at: map[string]Standing{}}
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" {
		d.every = terminalEvery
		d.width = func() int {
			if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
				return w
			}
			return 80
		}
	}
	return d
}

// Show takes the new standing of the run with its name.
func (d *Display) Show(s Standing) {
	d.mu.Lock()
	defer d.mu.Unlock()
	old, known := d.at[s.Name]
	if len(s.Kinds) == 0 {
		s.Kinds = old.Kinds // from the last evaluation
	}
	if !known {
		d.open = append(d.open, s.Name)
	}
	d.at[s.Name] = s
	if s.Closed {
		d.close(s)
		return
	}
	now := d.now()
	if now.Sub(d.last) < d.every {
		return
	}
	d.last = now
	d.draw(s)
}

// close removes a run and prints how it ended.
func (d *Display) close(s Standing) {
	delete(d.at, s.Name)
	for i, name := range d.open {
		if name == s.Name {
			d.open = append(d.open[:i], d.open[i+1:]...)
			break
		}
	}
	d.closed++
	d.print(s.Name + ": " + s.line())
}

// Print writes a line of its own, such as a warning.
func (d *Display) Print(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.print(text)
}

func (d *Display) print(text string) {
	d.wipe()
	fmt.Fprintln(d.out, text)
}

// Close ends the display.
func (d *Display) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wipe()
}

// draw writes the line: of the run that moved where lines are kept, of all
// runs where the line is rewritten.
func (d *Display) draw(moved Standing) {
	if d.width == nil {
		fmt.Fprintln(d.out, d.prefix()+moved.Name+": "+moved.line())
		return
	}
	line := d.combined()
	room := d.width() - 1
	if runes := []rune(line); len(runes) > room && room > 1 {
		line = string(runes[:max(0, room-2)]) + ".."
	}
	fmt.Fprint(d.out, "\r\x1b[K"+line)
	d.drawn = true
}

// wipe clears the line on a terminal.
func (d *Display) wipe() {
	if d.drawn {
		fmt.Fprint(d.out, "\r\x1b[K")
		d.drawn = false
	}
}

func (d *Display) prefix() string {
	if d.total < 2 {
		return ""
	}
	return fmt.Sprintf("[%d/%d done] ", d.closed, d.total)
}

// combined is the line for all runs under way: in full for one, else share,
// loss and accuracy of each.
func (d *Display) combined() string {
	if len(d.open) == 1 {
		s := d.at[d.open[0]]
		return d.prefix() + s.Name + " " + bar(s.Step, s.Steps) + " " + s.line()
	}
	var parts []string
	longest := time.Duration(0)
	for _, name := range d.open {
		s := d.at[name]
		text := fmt.Sprintf("%s %s loss %.3f", name, percent(s.Step, s.Steps), s.Loss)
		if acc := Accuracy(s.Kinds); acc != "" {
			text += " " + acc
		}
		parts = append(parts, text)
		longest = max(longest, s.Left)
	}
	left := ""
	if longest > 0 {
		left = " | " + Duration(longest) + " left of these"
	}
	return d.prefix() + strings.Join(parts, " | ") + left
}

func percent(step, steps int) string {
	if steps <= 0 {
		return "?"
	}
	return fmt.Sprintf("%d%%", 100*step/steps)
}

// bar is a bar of ten places.
func bar(step, steps int) string {
	const places = 10
	full := 0
	if steps > 0 {
		full = min(places, places*step/steps)
	}
	return "[" + strings.Repeat("=", full) + strings.Repeat(" ", places-full) + "]"
}
