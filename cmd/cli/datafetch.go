package cli

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"memobench/benchmarks/printable"
	"memobench/datasets"
	"memobench/datasets/export"
)

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
			got, err := export.Fetch(p.ctx, export.Download{URL: url, Path: out.Path, SHA256: strings.ToLower(sum), Check: func(path string) (err error) {
				out.Files, err = from.Check(path)
				return err
			}}, tick)
			stop()
			if err != nil && !errors.Is(err, context.Canceled) {
				return fmt.Errorf("%w\nAnother address of the same archive can be given with --url, another SHA-256 with --sha256.\n%s", err, from.Otherwise)
			}
			if err != nil {
				return p.stopped(err, "nothing was downloaded")
			}
			out.Bytes, out.SHA256, out.Existing = got.Bytes, got.SHA256, got.Existing
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
