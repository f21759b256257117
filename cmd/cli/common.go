package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"memobench/benchmarks/config"
	"memobench/benchmarks/printable"
	"memobench/benchmarks/sweep"
	"memobench/benchmarks/train"
	"memobench/cmd/memobench/progress"
	"memobench/datasets"
	"memobench/datasets/binfile"
	"memobench/models"
	"memobench/models/engine"
)

// common are the flags of the commands that train.
type common struct {
	preset      string
	set         []string
	out         string
	data        string
	every       string
	limit       time.Duration
	threads     int
	overwrite   bool
	keep        bool
	printConfig bool
	quiet       bool
	json        bool
}

// add declares the flags; preset is the default preset.
func (c *common) add(f *flagSet, preset, out string) {
	f.StringVar(&c.preset, "preset", preset, "`NAME` of a preset (memobench ls), or a .yaml file of that form")
	f.StringArrayVar(&c.set, "set", nil, "change the preset, as `KEY=VALUE`; may be given several times (keys: memobench ls -v)")
	f.BoolVar(&c.printConfig, "print-config", false, "print the resolved preset as YAML and train nothing")
	c.addRun(f, out)
}

// addRun declares the flags that do not change a preset; out explains --out.
func (c *common) addRun(f *flagSet, out string) {
	f.StringVar(&c.out, "out", "", out)
	f.dataVar(&c.data)
	f.StringVar(&c.every, "checkpoint-every", "1m", "save so often, a `TIME` (30s, 5m) or a number of steps")
	f.DurationVar(&c.limit, "limit", 0, "end training after this `TIME` (20m; 0: no limit); the run is evaluated as it is and can be resumed")
	f.IntVar(&c.threads, "threads", 1, "`NUMBER` of threads among which each training batch is divided; another number rounds differently and drops out others")
	f.BoolVar(&c.overwrite, "overwrite", false, "remove what the directory holds of a run, and start anew")
	f.BoolVar(&c.keep, "keep-predictions", false, "also write the answer to every test question, for memobench compare and check")
	f.BoolVar(&c.quiet, "quiet", false, "no progress, only warnings")
	f.BoolVar(&c.json, "json", false, "print records as JSON instead of tables: train one object, run an array")
}

// options returns the options of package train, for jobs runs at a time.
func (c *common) options(jobs int) (train.Options, error) {
	o := train.Options{
		Dir: c.out, DataPath: c.data, Overwrite: c.overwrite, Limit: c.limit, Jobs: jobs, KeepPredictions: c.keep,
	}
	if c.threads < 1 {
		return o, usagef("--threads %d: want 1 or more", c.threads)
	}
	// BLAS uses one thread: parallel runs use the cores better than threads within
	// one, and the number of threads changes the order of additions, so that results
	// would depend on the machine's cores and on --jobs.
	engine.SetBLASThreads(1)
	o.Threads, o.BLAS = c.threads, recordedBLAS()
	if c.threads > 1 {
		o.BLAS += fmt.Sprintf(", batches divided among %d threads", c.threads)
	}
	if c.limit < 0 {
		return o, usagef("--limit %v: want a time of 0 or more", c.limit)
	}
	if steps, err := strconv.Atoi(c.every); err == nil && steps > 0 {
		o.CheckpointSteps = steps
		return o, nil
	}
	every, err := time.ParseDuration(c.every)
	if err != nil || every <= 0 {
		return o, usagef("--checkpoint-every %q: want a time such as 30s or a number of steps, above 0", c.every)
	}
	o.CheckpointEvery = every
	return o, nil
}

// checkData refuses a --data that none of the tasks reads: results on generated data must
// not be taken for results on the user's files.
func checkData(data string, tasks ...string) error {
	if data == "" || len(tasks) == 0 {
		return nil
	}
	for _, name := range tasks {
		if e, known := datasets.Lookup(name); !known || e.ReadsData {
			return nil
		}
	}
	return usagef("--data %s: no file is read for %s; tasks that read files: %s", data, strings.Join(tasks, ", "),
		strings.Join(datasets.NamesOf(func(e datasets.Entry) bool { return e.ReadsData }), ", "))
}

// change applies the values of --set.
func change(p *config.Preset, set []string) error {
	for _, s := range set {
		if err := p.Set(s); err != nil {
			return usage(err)
		}
	}
	return nil
}

// display shows the progress of runs under their names; with --quiet only their warnings.
func (p *program) display(c *common, o *train.Options, cells []config.Cell, name func(*config.Cell) string) (stop func()) {
	d := progress.New(p.stderr)
	start := func(cell config.Cell) progress.State {
		return progress.State{
			Name: name(&cell), Short: fmt.Sprintf("%s %d", cell.Label, cell.Seed),
			Group: cell.Task + " " + cell.Label, Steps: cell.Protocol.Steps,
		}
	}
	d.Plan(o.Jobs, mapped(cells, start))
	o.Progress = func(cell config.Cell) train.Progress {
		if c.quiet {
			return &warner{train.Silent, d, name(&cell)}
		}
		return &reporter{display: d, blas: o.BLAS, now: start(cell), start: time.Now()}
	}
	return d.Close
}

// resumeCommand returns the command line that resumes interrupted work: the arguments with
// the flag resume, if the command has one, and without --overwrite.
func (p *program) resumeCommand(args []string, resume string) string {
	words := []string{p.name}
	for _, a := range args {
		if name, _, _ := strings.Cut(a, "="); name == "--overwrite" || resume != "" && name == resume {
			continue
		}
		words = append(words, quote(a))
	}
	if resume != "" {
		words = append(words, resume)
	}
	return strings.Join(words, " ")
}

// interrupted is the error of interrupted work; what says what is saved. command with args
// resumes it.
func (p *program) interrupted(what string, args []string, command ...string) error {
	return &interruptedError{what: what, resume: p.resumeCommand(append(command, args...), "")}
}

// stopped returns the error of interrupted work as interrupted does, and other errors as they
// are.
func (p *program) stopped(err error, what string, args []string, command ...string) error {
	if p.ctx.Err() != nil && errors.Is(err, models.ErrNoAnswer) {
		what, err = printable.Error(err)+"; "+what, context.Canceled
	}
	if errors.Is(err, context.Canceled) {
		return p.interrupted(what, args, command...)
	}
	return err
}

// measureFor is the time for which the speed of the BLAS is measured.
const measureFor = 100 * time.Millisecond

// printBLAS prints the first line of every command that computes: the BLAS, its speed, and
// the number of cores; nothing if quiet. With asJSON it is on standard error.
func (p *program) printBLAS(quiet, asJSON bool) {
	if quiet {
		return
	}
	out := p.stdout
	if asJSON {
		out = p.stderr
	}
	blas := engine.BLAS()
	fmt.Fprintf(out, "BLAS: %s, %.0f GFLOP/s on one core; %d cores, threads a call: %d\n",
		blas.Name, engine.MeasureGFLOPS(measureFor), runtime.GOMAXPROCS(0), blas.Threads)
	if blas.Note != "" {
		fmt.Fprintln(out, blas.Note)
	}
}

// recordedBLAS returns the name of the BLAS for records.
func recordedBLAS() string {
	blas := engine.BLAS()
	return fmt.Sprintf("%s, threads a call: %d", blas.Name, blas.Threads)
}

// partOf returns the named tasks and models of a preset (none: all), with other seeds if some
// are given, and changed settings.
func partOf(preset string, tasks, models []string, seeds []uint64, set []string) (*config.Preset, error) {
	p, err := loadPreset(preset)
	if err != nil {
		return nil, err
	}
	if err := p.Keep(tasks, models); err != nil {
		return nil, usage(err)
	}
	if len(seeds) > 0 {
		if err := p.SetSeeds(seeds...); err != nil {
			return nil, usage(err)
		}
	}
	return p, change(p, set)
}

// loadPreset returns the embedded preset or the YAML file of that name.
func loadPreset(name string) (*config.Preset, error) {
	if !isYAML(name) {
		return config.LoadPreset(name)
	}
	data, err := binfile.ReadFile(name, config.MaxYAML)
	if err != nil {
		return nil, usagef("reading the preset: %w", err)
	}
	preset, err := config.ParsePreset(name, data)
	return preset, usage(err)
}

// loadGrid returns the embedded grid or the YAML file of that name. In a file, the path of a
// preset is relative to the file.
func loadGrid(name string) (*sweep.Grid, error) {
	if !isYAML(name) {
		return sweep.Load(name)
	}
	data, err := binfile.ReadFile(name, config.MaxYAML)
	if err != nil {
		return nil, usagef("reading the grid: %w", err)
	}
	g, err := sweep.Parse(strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)), data)
	if err != nil {
		return nil, usagef("%s: %w", name, err)
	}
	if isYAML(g.Preset) && !filepath.IsAbs(g.Preset) {
		g.Preset = filepath.Join(filepath.Dir(name), g.Preset)
	}
	return g, nil
}

func isYAML(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}
