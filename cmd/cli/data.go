package cli

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memobench/benchmarks/printable"
	"memobench/benchmarks/study"
	"memobench/cmd/cli/progress"
	"memobench/datasets"
	"memobench/datasets/export"
	"memobench/datasets/file"
)

// dataCommand has the subcommands that write, fetch, check and show data.
func (p *program) dataCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "data",
		Short: "Write, fetch, check and show what the tasks are made of",
		Example: `  memobench data show sp10-2-2
  memobench data export pai3 --out data/pai3
  memobench data fetch babi`,
		RunE: needCommand,
	}
	c.AddCommand(p.dataExportCommand(), p.dataCheckCommand(), p.dataFetchCommand(), p.dataShowCommand())
	return c
}

// progressDelay is the time after which progress is shown.
const progressDelay = 2 * time.Second

// ticks returns an export.Tick that shows the progress of work of the given name, and a
// function that ends it.
func (p *program) ticks(name string, quiet bool) (tick func(what string, done, total int64), stop func()) {
	d, start := progress.New(p.stderr), time.Now()
	return func(what string, done, total int64) {
		if quiet || time.Since(start) < progressDelay {
			return
		}
		now := progress.State{Name: name, Done: what, Step: int(done), Steps: int(total)}
		if done > 0 && total > done {
			now.Left = time.Duration(float64(time.Since(start)) * float64(total-done) / float64(done))
		}
		d.Show(now)
	}, d.Close
}

func (p *program) dataShowCommand() *cobra.Command {
	pick := export.Pick{N: 3, Split: datasets.Test}
	var set []string
	var path string
	var asJSON bool
	c := &cobra.Command{
		Use:   "show TASK",
		Short: "Print a few examples of a task",
		Long:  `Print a few examples of a task with their answers.`,
		Example: `  memobench data show babi --kind 2
  memobench data show sp --set nodes=8 --set length=3 --seed 4
  memobench data show babi --data stories --json`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeNames(datasets.Names),
		RunE: func(_ *cobra.Command, args []string) error {
			if pick.N < 1 || pick.N > maxShown {
				return usagef("data show: --number %d: want 1 to %d", pick.N, maxShown)
			}
			src, err := openTask(args[0], set, path, pick.Split)
			if err != nil {
				return err
			}
			if pick.Kind != "" && !slices.Contains(src.Kinds(), pick.Kind) {
				return unknown("kind", pick.Kind, src.Kinds())
			}
			if !asJSON {
				return export.WriteExamples(p.stdout, src, pick)
			}
			list, err := export.Draw(src, pick)
			if err != nil {
				return err
			}
			return p.printJSON(list)
		},
	}
	f := c.Flags()
	f.StringVar(&pick.Kind, "kind", "", "`KIND` of query, or number of a bAbI task (default: any)")
	f.IntVarP(&pick.N, "number", "n", pick.N, "`NUMBER` of examples")
	f.Uint64Var(&pick.Seed, "seed", 0, "`NUMBER`, the seed of the choice (default 0)")
	splitVar(f, &pick.Split)
	setVar(f, &set)
	dataVar(f, &path)
	f.BoolVar(&asJSON, "json", false, "print the examples as JSON")
	return c
}

// maxShown is the maximum number of examples that are shown.
const maxShown = 10_000

// openTask opens a task with changed settings, for one of its splits.
func openTask(task string, set []string, path string, split datasets.Split) (datasets.Source, error) {
	entry, known := datasets.Lookup(task)
	if !known {
		return nil, unknown("task", task, datasets.Names())
	}
	settings := entry.Defaults()
	for _, s := range set {
		if err := study.SetTask(settings, s); err != nil {
			return nil, usage(err)
		}
	}
	if err := study.CheckData(path, task); err != nil {
		return nil, err
	}
	src, err := entry.New(settings, datasets.Options{DataPath: path, Splits: []datasets.Split{split}, Partial: len(set) == 0})
	var setting *datasets.SettingError
	if errors.As(err, &setting) {
		err = usage(err)
	}
	return src, err
}

func (p *program) dataCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check PATH",
		Short: "Look for errors in exported files",
		Long: `Read files in the format of data export to their end, as the task file does, and say what they are. PATH
is a directory, or one of its files. The first error ends the command and names file and line.`,
		Example: `  memobench data check data/pai3
  memobench data check data/mine/test.jsonl`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return file.Check(p.stdout, args[0]) },
	}
}

// fetchJSON is what data fetch --json prints.
type fetchJSON struct {
	Path     string `json:"path"`
	URL      string `json:"url"`
	Bytes    int64  `json:"bytes"`
	SHA256   string `json:"sha256"`
	Compared bool   `json:"compared"` // the SHA-256 was compared with a known one
	Existing bool   `json:"existing"` // nothing was downloaded
	Files    int    `json:"files"`    // files of data in the archive
	Default  bool   `json:"default"`  // found without --data
}

func (p *program) dataFetchCommand() *cobra.Command {
	var dir, url, sum string
	var quiet, asJSON bool
	c := &cobra.Command{
		Use:   "fetch babi",
		Short: "Download the official bAbI files",
		Long: `Download the official archive of the bAbI tasks, version 1.2, into the directory for cached data, where
every command finds it without --data. Its SHA-256 is compared with the known one.`,
		Example: `  memobench data fetch babi
  memobench data fetch babi --dir data
  memobench data fetch babi --url https://example.test/babi.tar.gz`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			task := args[0]
			entry, _ := datasets.Lookup(task)
			from := entry.Download
			if from == nil {
				return unknown("data to fetch", task, datasets.NamesOf(func(e datasets.Entry) bool { return e.Download != nil }))
			}
			url = cmp.Or(url, from.URL)
			if sum == "" && url == from.URL {
				sum = from.SHA256
			}
			if err := export.CheckURL(url); err != nil {
				return usagef("data fetch: --url: %w", err)
			}
			if b, err := hex.DecodeString(sum); err != nil || sum != "" && len(b) != 32 {
				return usagef("data fetch: --sha256 %q: want 64 hexadecimal digits", sum)
			}
			cache, noCache := from.Dir()
			if dir == "" {
				if noCache != nil {
					return fmt.Errorf("data fetch: no directory for cached data: %w; name one with --dir", noCache)
				}
				dir = cache
			}
			out := &fetchJSON{Path: filepath.Join(dir, from.Name), URL: url, Compared: sum != "",
				Default: noCache == nil && filepath.Clean(dir) == filepath.Clean(cache)}
			tick, stop := p.ticks("fetching", quiet)
			got, err := export.Fetch(p.ctx, datasets.Download{URL: url, SHA256: strings.ToLower(sum), Check: from.Check}, out.Path, tick)
			stop()
			if err != nil && !errors.Is(err, context.Canceled) {
				return fmt.Errorf("%w\nAnother address of the same archive can be given with --url, another SHA-256 with --sha256.\n%s", err, from.Otherwise)
			}
			if err != nil {
				return p.stopped(err, "nothing was downloaded")
			}
			out.Bytes, out.SHA256, out.Files, out.Existing = got.Bytes, got.SHA256, got.Files, got.Existing
			if asJSON {
				return p.printJSON(out)
			}
			return p.printFetched(out, from.SHA256)
		},
	}
	f := c.Flags()
	f.StringVar(&dir, "dir", "", "`DIR` to put it into (default: memobench in the user's directory for cached data)")
	f.StringVar(&url, "url", "", "`URL` of the archive (default: the official one)")
	f.StringVar(&sum, "sha256", "", "SHA-256 that the archive must have, `HEX` (default: as known of the official one)")
	f.BoolVar(&quiet, "quiet", false, "no progress")
	f.BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

// printFetched prints what was fetched; official is the SHA-256 of the official archive.
func (p *program) printFetched(r *fetchJSON, official string) error {
	how, compared, use := "downloaded", "as expected", "To use it: --data "+r.Path
	if r.Existing {
		how = "there already"
	}
	switch {
	case r.SHA256 == official:
		compared = "that of the official archive"
	case !r.Compared:
		compared = "not that of the official archive"
	}
	if r.Default {
		use = "It is found there without --data."
	}
	_, err := fmt.Fprintf(p.stdout, "%s: %s, %s, %d files\nSHA-256 %s, %s\n%s\n", r.Path, printable.Bytes(r.Bytes), how, r.Files, r.SHA256, compared, use)
	return err
}
