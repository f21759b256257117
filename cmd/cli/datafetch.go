package cli

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"memobench/benchmarks/printable"
	"memobench/cmd/memobench/data"
	"memobench/datasets"
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

// dataFetch downloads the archive of a task.
func (p *program) dataFetch(args []string) error {
	f := p.groupFlags("data fetch babi [flags]",
		`Download the official archive of the bAbI tasks, version 1.2, into the directory
for cached data, where every command then finds it without --data. It is read as
it is, and nothing is unpacked. A file is kept when its SHA-256 is the known one
and it can be read as bAbI stories; a download that fails leaves nothing.`,
		[2]string{"data fetch babi", "into the directory for cached data"},
		[2]string{"data fetch babi --dir data", "into a directory of your choice"},
		[2]string{"data fetch babi --url https://example.test/babi.tar.gz", "from another address"})
	var dir, url, sum string
	var quiet, asJSON bool
	f.StringVar(&dir, "dir", "", "`DIR` to put it into (default: memobench in the user's directory for cached data)")
	f.StringVar(&url, "url", "", "`URL` of the archive (default: the official one)")
	f.StringVar(&sum, "sha256", "", "SHA-256 that the archive must have, `HEX` (default: as known of the official one)")
	f.BoolVar(&quiet, "quiet", false, "no progress")
	f.BoolVar(&asJSON, "json", false, "print the result as JSON")
	task, err := f.one(args, "what to fetch", "babi")
	if err != nil {
		return err
	}
	entry, _ := datasets.Lookup(task)
	from := entry.Download
	if from == nil {
		return unknown("data to fetch", task, datasets.NamesOf(func(e datasets.Entry) bool { return e.Download != nil }))
	}
	url = cmp.Or(url, from.URL)
	if sum == "" && url == from.URL {
		sum = from.SHA256
	}
	if err := data.CheckURL(url); err != nil {
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
	got, err := data.Fetch(p.ctx, data.Download{URL: url, Path: out.Path, SHA256: strings.ToLower(sum), Check: func(path string) (err error) {
		out.Files, err = from.Check(path)
		return err
	}}, tick)
	stop()
	if err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w\nAnother address of the same archive can be given with --url, another SHA-256 with --sha256.\n%s", err, from.Otherwise)
	}
	if err != nil {
		return p.stopped(err, "nothing was downloaded", args, "data", "fetch")
	}
	out.Bytes, out.SHA256, out.Existing = got.Bytes, got.SHA256, got.Existing
	if asJSON {
		return p.printJSON(out)
	}
	p.printFetched(out, from)
	return nil
}

func (p *program) printFetched(r *fetchJSON, from *datasets.Download) {
	how := "downloaded"
	if r.Existing {
		how = "there already"
	}
	compared := "as expected"
	if !r.Compared {
		compared = "not compared with anything: --sha256 does that"
		if r.SHA256 == from.SHA256 {
			compared = "as known of the official archive"
		}
	}
	w := p.stdout
	fmt.Fprintf(w, "%s: %s, %s, %d files\nSHA-256 %s, %s\n", r.Path, printable.Bytes(r.Bytes), how, r.Files, r.SHA256, compared)
	if r.Default {
		fmt.Fprintln(w, "It is found there without --data.")
	} else {
		fmt.Fprintf(w, "To use it: --data %s\n", r.Path)
	}
}
