package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memobench/benchmarks/config"
	"memobench/benchmarks/printable"
	"memobench/benchmarks/record"
	"memobench/benchmarks/train"
)

// watch shows learning curves in the terminal.
func (p *program) watch(args []string) error {
	f := p.flags("watch DIR...",
		`Show the learning curves of the runs in or below the directories: of one run as a
chart, of several a line each, with the mean accuracy on the validation split by training
step. In a terminal they are drawn anew until no run is being trained; elsewhere they are
printed once. Runs that were stopped or that crashed are shown as unfinished. Ctrl-C ends
watch, with exit status 130, and no run.`,
		[2]string{"watch runs/quick", "the runs of memobench run"},
		[2]string{"watch runs/memo-pai3 --every 1s", "one run"})
	every := f.Duration("every", 2*time.Second, "draw anew after this `TIME`")
	if err := f.parse(args, "run directories"); err != nil {
		return err
	}
	if f.NArg() == 0 {
		return usagef("watch: name a run's directory or one above, for example: memobench watch runs/quick")
	}
	if *every < 100*time.Millisecond {
		return usagef("watch: --every %v: want 100ms or more", *every)
	}
	if columns, _ := printable.Terminal(p.stdout); columns > 0 {
		return p.drawCurves(f.Args(), *every, args)
	}
	text, _, err := p.curves(f.Args())
	if err != nil {
		return err
	}
	_, err = io.WriteString(p.stdout, text)
	return err
}

// drawCurves redraws the curves until no run is being trained; args are those of watch.
func (p *program) drawCurves(dirs []string, every time.Duration, args []string) error {
	for {
		text, running, err := p.curves(dirs)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(p.stdout, clearScreen+text); err != nil || !running {
			return err
		}
		select {
		case <-p.ctx.Done():
			return p.interrupted("what is being trained continues", args, "watch")
		case <-time.After(every):
		}
	}
}

// curves draws the runs in or below the directories, and reports whether one of them is
// being trained.
func (p *program) curves(dirs []string) (text string, running bool, err error) {
	list, err := readRuns(dirs)
	if err != nil {
		return "", false, err
	}
	text = drawRuns(list, max(60, min(p.width(100), 140)), p.style(false).ASCII)
	return text, slices.ContainsFunc(list, func(r watchedRun) bool { return r.state == stateTraining }), nil
}

// clearScreen clears the terminal and moves the cursor to the first line.
const clearScreen = "\x1b[H\x1b[2J"

// watchedRun is a run with its learning curve.
type watchedRun struct {
	name   string
	steps  int // of the protocol; 0 if unknown
	points []record.Point
	state  string
}

const (
	stateTraining   = "training"
	stateUnfinished = "unfinished"
)

// readRuns reads the runs in or below the directories.
func readRuns(dirs []string) (list []watchedRun, err error) {
	for _, dir := range dirs {
		// The separator makes WalkDir follow a link.
		err := filepath.WalkDir(dir+string(filepath.Separator), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.Name() != train.ConfigName {
				return err
			}
			run, err := readRun(filepath.Dir(path))
			list = append(list, run)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("watch: reading runs: %w; name a run's directory or one above", err)
		}
	}
	if list == nil {
		err = fmt.Errorf("watch: no run in or below %s: a run's directory has a %s", strings.Join(dirs, ", "), train.ConfigName)
	}
	return list, err
}

func readRun(dir string) (watchedRun, error) {
	r := watchedRun{name: dir, state: stateUnfinished}
	if data, err := os.ReadFile(filepath.Join(dir, train.ConfigName)); err == nil {
		if preset, err := config.ParsePreset(train.ConfigName, data); err == nil {
			r.steps = preset.Cells()[0].Protocol.Steps
		}
	}
	var err error
	r.points, err = record.ReadOpenCurve(filepath.Join(dir, train.CurveName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return r, err
	}
	switch rec, err := record.ReadFile(filepath.Join(dir, record.FileName)); {
	case train.InUse(dir) != nil:
		r.state = stateTraining
	case err == nil:
		r.state = string(rec.Status)
	case !errors.Is(err, fs.ErrNotExist):
		return r, err
	}
	return r, nil
}

// drawRuns draws one run as a chart, several as one line each.
func drawRuns(list []watchedRun, width int, ascii bool) string {
	if len(list) == 1 {
		r := &list[0]
		return fmt.Sprintf("%s\n%s\n%s", r.name, r.about(), r.chart(width, ascii))
	}
	var b strings.Builder
	name := 0
	for _, r := range list {
		name = max(name, len(r.name))
	}
	for _, r := range list {
		fmt.Fprintf(&b, "%-*s  %s  %s\n", name, r.name, r.sparkline(max(10, width-name-46), ascii), r.about())
	}
	return b.String()
}

// about describes the progress of the run.
func (r *watchedRun) about() string {
	if len(r.points) == 0 {
		return r.state + ", not evaluated yet"
	}
	last := r.points[len(r.points)-1]
	steps := fmt.Sprint(last.Step)
	if r.steps > 0 {
		steps += fmt.Sprintf(" of %d", r.steps)
	}
	return fmt.Sprintf("%s, step %s, %.1f %%, loss %.3g", r.state, steps, last.Accuracy(), last.Loss)
}

// accuracies returns the mean accuracies at the ends of equal parts of the run; NaN for
// parts that training has not reached.
func (r *watchedRun) accuracies(parts int) []float64 {
	list := slices.Repeat([]float64{math.NaN()}, parts)
	for i := range list {
		step := (i + 1) * r.end() / parts
		at := slices.IndexFunc(r.points, func(p record.Point) bool { return p.Step >= step })
		if at >= 0 {
			list[i] = r.points[at].Accuracy()
		}
	}
	return list
}

// sparkline draws the curve in one line.
func (r *watchedRun) sparkline(width int, ascii bool) string {
	levels := []rune("▁▂▃▄▅▆▇█")
	if ascii {
		levels = []rune("_.-=+*%#")
	}
	line := make([]rune, width)
	for i, a := range r.accuracies(width) {
		line[i] = ' '
		if a == a {
			line[i] = levels[min(int(a/100*float64(len(levels))), len(levels)-1)]
		}
	}
	return string(line)
}

// chartRows is the height of a chart of one run.
const chartRows = 11

// chart draws the curve with its axes.
func (r *watchedRun) chart(width int, ascii bool) string {
	dot, axis, corner, line := "•", "│", "└", "─"
	if ascii {
		dot, axis, corner, line = "*", "|", "+", "-"
	}
	width -= 6
	values := r.accuracies(width)
	var b strings.Builder
	for row := chartRows - 1; row >= 0; row-- {
		text := ""
		for _, a := range values {
			if a == a && int(math.Round(a/100*(chartRows-1))) == row {
				text += dot
			} else {
				text += " "
			}
		}
		fmt.Fprintf(&b, "%4d %s%s\n", 100*row/(chartRows-1), axis, strings.TrimRight(text, " "))
	}
	fmt.Fprintf(&b, "   %% %s%s\n%*s\n", corner, strings.Repeat(line, width), width+6, fmt.Sprintf("step %d", r.end()))
	return b.String()
}

// end returns the last step that the curve is drawn to.
func (r *watchedRun) end() int {
	if n := len(r.points); n > 0 {
		return max(r.steps, r.points[n-1].Step)
	}
	return r.steps
}
