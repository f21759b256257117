package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// Request says what to download.
type Request struct {
	URL    string // of scheme http or https
	Path   string // where the file goes; its directory is made
	SHA256 string // hexadecimal; empty where it is not known
	Limit  int64  // bytes that a file may have at most

	// Check looks at the whole file before it gets its name; nil for no look.
	Check func(path string) error

	Progress func(done, total int64) // bytes; total is 0 where it is not known; may be nil
	Note     func(text string)       // what happens on the way, such as another attempt; may be nil

	Client *http.Client  // nil for one that refuses to go from HTTPS to HTTP
	Pause  time.Duration // before the second attempt, doubled for each further one; 0 for a second
	Stall  time.Duration // without a byte a connection counts as broken; 0 for 30 seconds
}

// Result is what was downloaded.
type Result struct {
	Bytes    int64
	SHA256   string // hexadecimal
	Existing bool   // the file was there already, and nothing was asked of the server
	Resumed  int64  // bytes that earlier attempts had brought
}

const (
	// maxFailures is how many attempts in a row may bring nothing new, and
	// maxAttempts how many there are at most.
	maxFailures = 4
	maxAttempts = 100
)

// Fetch downloads the file, unless it is there and passes the checks. When the
// context ends, what has come so far is kept; Kept says how much it is.
func Fetch(ctx context.Context, r Request) (*Result, error) {
	f := newFetcher(ctx, r)
	if _, err := os.Stat(r.Path); err == nil {
		return f.existing()
	}
	if err := os.MkdirAll(filepath.Dir(r.Path), 0o777); err != nil {
		return nil, err
	}
	failures, most := 0, int64(0) // bytes that there were at most
	for attempts := 1; ; attempts++ {
		from, to, err := f.attempt()
		var res *Result
		if err == nil {
			res, err = f.finish(from)
		}
		if err == nil {
			return res, nil
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("%s: %w", f.url(), context.Cause(ctx))
		}
		var again *temporary
		if !errors.As(err, &again) {
			return nil, fmt.Errorf("%s: %w", f.url(), err)
		}
		if failures++; to > most {
			failures, most = 1, to
		}
		if failures >= maxFailures || attempts >= maxAttempts {
			return nil, fmt.Errorf("%s: %w, after %d attempts", f.url(), again.err, attempts)
		}
		if err := f.pause(again, failures); err != nil {
			return nil, err
		}
	}
}

// fetcher works on one request.
type fetcher struct {
	Request
	ctx       context.Context
	part      partial
	restarted bool // after a wrong sum
}

func newFetcher(ctx context.Context, r Request) *fetcher {
	if r.Client == nil {
		r.Client = defaultClient()
	}
	if r.Pause == 0 {
		r.Pause = time.Second
	}
	if r.Stall == 0 {
		r.Stall = 30 * time.Second
	}
	if r.Progress == nil {
		r.Progress = func(int64, int64) {}
	}
	if r.Note == nil {
		r.Note = func(string) {}
	}
	return &fetcher{Request: r, ctx: ctx, part: partial{path: r.Path + partialSuffix}}
}

// existing checks the file that is there.
func (f *fetcher) existing() (*Result, error) {
	sum, n, err := sumOf(f.Path)
	if err != nil {
		return nil, err
	}
	if f.SHA256 != "" && sum != f.SHA256 {
		return nil, fmt.Errorf("%s is there with SHA-256 %s, want %s: remove it to download it again", f.Path, sum, f.SHA256)
	}
	if f.Check != nil {
		if err := f.Check(f.Path); err != nil {
			return nil, fmt.Errorf("%s is there and no good: %w; remove it to download it again", f.Path, err)
		}
	}
	return &Result{Bytes: n, SHA256: sum, Existing: true}, nil
}

// finish checks the whole file, of which the first resumed bytes had come before,
// and gives it its name.
func (f *fetcher) finish(resumed int64) (*Result, error) {
	sum, n, err := sumOf(f.part.path)
	if err != nil {
		return nil, err
	}
	if f.SHA256 != "" && sum != f.SHA256 {
		err = fmt.Errorf("the file has SHA-256 %s, want %s", sum, f.SHA256)
		if resumed > 0 && !f.restarted { // its parts may be of two versions
			f.restarted = true
			err = &temporary{err: err}
		}
	} else if f.Check != nil {
		err = f.Check(f.part.path)
	}
	if err != nil {
		return nil, errors.Join(err, f.part.discard())
	}
	return &Result{Bytes: n, SHA256: sum, Resumed: resumed}, f.part.finish(f.Path)
}

// pause waits before another attempt.
func (f *fetcher) pause(why *temporary, failures int) error {
	wait := f.Pause << (failures - 1)
	if why.after > 0 {
		wait = min(why.after, maxAfter)
	}
	f.Note(fmt.Sprintf("%v; next attempt in %v", why.err, wait.Round(time.Millisecond)))
	select {
	case <-time.After(wait):
		return nil
	case <-f.ctx.Done():
		return fmt.Errorf("%s: %w", f.url(), context.Cause(f.ctx))
	}
}
