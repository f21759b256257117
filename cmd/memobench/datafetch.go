package main

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"memobench/cmd/memobench/data"
	"memobench/datasets/babi"
)

// The archive that the official page of the bAbI tasks refers to, and its
// SHA-256 as other users of that address have recorded it.
const (
	babiURL    = "http://www.thespermwhale.com/jaseweston/babi/" + babi.ArchiveName
	babiSHA256 = "0364ebde659f14d11bc21744516c5ec49d3d06cb692733f66680771244998898"
)

// maxArchive is far above the 16 MB of the official archive.
const maxArchive = 256 << 20

// fetchJSON is what data fetch --json prints.
type fetchJSON struct {
	Path     string `json:"path"`
	URL      string `json:"url"`
	Bytes    int64  `json:"bytes"`
	SHA256   string `json:"sha256"`
	Compared bool   `json:"compared"` // the SHA-256 with one that was known
	Existing bool   `json:"existing"` // nothing was downloaded
	Files    int    `json:"files"`    // bAbI files in the archive
	Default  bool   `json:"default"`  // it is found without --data
}

// dataFetch downloads the official bAbI archive.
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
	f.StringVar(&url, "url", babiURL, "`URL` of the archive")
	f.StringVar(&sum, "sha256", "", "SHA-256 that the archive must have, `HEX` (default: as known of the official one)")
	f.BoolVar(&quiet, "quiet", false, "no progress")
	f.BoolVar(&asJSON, "json", false, "print the result as JSON")
	if err := f.parse(args, "what to fetch"); err != nil {
		return err
	}
	what, err := f.one("what to fetch", "babi")
	if err != nil {
		return err
	}
	if what != "babi" {
		return unknown("data to fetch", what, []string{"babi"})
	}
	if err := data.CheckURL(url); err != nil {
		return usagef("data fetch: --url: %w", err)
	}
	if b, err := hex.DecodeString(sum); err != nil || sum != "" && len(b) != 32 {
		return usagef("data fetch: --sha256 %q: want 64 hexadecimal digits", sum)
	}
	if sum == "" && url == babiURL {
		sum = babiSHA256
	}
	cache, noCache := babi.CacheDir()
	if dir == "" {
		if noCache != nil {
			return fmt.Errorf("data fetch: no directory for cached data: %w; name one with --dir", noCache)
		}
		dir = cache
	}
	result, err := p.download(dir, url, strings.ToLower(sum), quiet)
	if err != nil {
		return p.stopped(withAlternatives(err), "nothing was downloaded", "fetch", args)
	}
	result.Default = noCache == nil && filepath.Clean(dir) == filepath.Clean(cache)
	if asJSON {
		return p.printJSON(result)
	}
	p.printFetched(result)
	return nil
}

// download downloads the archive into dir.
func (p *program) download(dir, url, sum string, quiet bool) (*fetchJSON, error) {
	out := &fetchJSON{Path: filepath.Join(dir, babi.ArchiveName), URL: url, Compared: sum != ""}
	m := p.meter("fetching", quiet)
	defer m.close()
	got, err := data.Fetch(p.ctx, data.Download{
		URL: url, Path: out.Path, SHA256: sum, Limit: maxArchive, Progress: m.showBytes,
		Check: func(path string) error {
			list, _, err := babi.Files(path)
			if err == nil && (len(list) == 0 || list[0].Name == path) { // one file of text
				err = errors.New("the file is not an archive of bAbI files")
			}
			out.Files = len(list)
			return err
		},
	})
	if err != nil {
		return nil, err
	}
	out.Bytes, out.SHA256, out.Existing = got.Bytes, got.SHA256, got.Existing
	return out, nil
}

// withAlternatives adds to an error what else can be done.
func withAlternatives(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("%w\n%s.\nAnother address of the same archive can be given with --url, another SHA-256 with --sha256; simulated\nstories need no files: --data simulated", err, babi.ByHand)
}

func (p *program) printFetched(r *fetchJSON) {
	w := p.stdout
	how := "downloaded"
	if r.Existing {
		how = "there already"
	}
	compared := "as expected"
	if !r.Compared {
		compared = "not compared with anything: --sha256 does that"
		if r.SHA256 == babiSHA256 {
			compared = "as known of the official archive"
		}
	}
	fmt.Fprintf(w, "%s: %s, %s, %d bAbI files\nSHA-256 %s, %s\n", r.Path, bytesOf(r.Bytes), how, r.Files, r.SHA256, compared)
	if r.Default {
		fmt.Fprintln(w, "It is found there without --data.")
	} else {
		fmt.Fprintf(w, "To use it: --data %s, or %s=%s\n", r.Path, babi.EnvPath, r.Path)
	}
}
