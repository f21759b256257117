package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"time"
)

// temporary is an error after which another attempt is worth it.
type temporary struct {
	err   error
	after time.Duration // as the server asks; 0 where it does not
}

func (e *temporary) Error() string { return e.err.Error() }
func (e *temporary) Unwrap() error { return e.err }

// maxAfter is the longest that a server's wish to wait is followed.
const maxAfter = 30 * time.Second

// attempt asks for the rest of the file, or all of it. There are the bytes up to
// to after it, of which those up to from had come before.
func (f *fetcher) attempt() (from, to int64, err error) {
	from, v, err := f.resumable()
	if err != nil || v.Total > 0 && from == v.Total {
		return from, from, err
	}
	ctx, stop := context.WithCancelCause(f.ctx)
	defer stop(nil)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, f.URL, nil)
	if err != nil {
		return from, from, err
	}
	req.Header.Set("User-Agent", "memobench")
	req.Header.Set("Accept-Encoding", "identity") // ranges are of the file as it is stored
	if from > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
		if tag := v.ifRange(); tag != "" {
			req.Header.Set("If-Range", tag)
		}
	}
	guard := time.AfterFunc(f.Stall, func() { stop(errStalled(f.Stall)) })
	defer guard.Stop()
	resp, err := f.Client.Do(req)
	if err != nil {
		return from, from, f.lost(ctx, err)
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
		from, v = 0, versionOf(f.URL, resp)
		err = f.part.begin(v)
	case http.StatusPartialContent:
		v, err = f.continues(resp, from, v)
	case http.StatusRequestedRangeNotSatisfiable:
		return from, from, f.notSatisfiable(resp, from)
	default:
		err = refused(resp)
	}
	if err == nil && v.Total > f.Limit {
		err = errors.Join(f.tooLong(), f.part.discard())
	}
	if err != nil {
		return from, from, err
	}
	to, err = f.receive(ctx, resp.Body, guard, from, v.Total)
	return from, to, err
}

// resumable returns how much there is of which version; nothing where it cannot
// be gone on with.
func (f *fetcher) resumable() (int64, version, error) {
	n, err := f.part.size()
	if err != nil || n == 0 {
		return 0, version{}, err
	}
	v, ok := f.part.version()
	// Parts of a version that has no name can be told from those of another one
	// by the sum alone.
	if !ok || v.URL != f.URL || v.ifRange() == "" && f.SHA256 == "" || v.Total > 0 && n > v.Total || n > f.Limit {
		return 0, version{}, f.part.discard()
	}
	return n, v, nil
}

// lost is the error of a connection that was not made, or broke.
func (f *fetcher) lost(ctx context.Context, err error) error {
	if f.ctx.Err() != nil {
		return err
	}
	if cause := context.Cause(ctx); cause != nil {
		return &temporary{err: cause}
	}
	var unknown *net.DNSError
	if errors.As(err, &unknown) || errors.Is(err, errRedirect) {
		return inner(err)
	}
	return &temporary{err: inner(err)}
}

func errStalled(d time.Duration) error { return fmt.Errorf("nothing came for %v", d) }

var contentRange = regexp.MustCompile(`^bytes (\d+)-\d+/(\d+|\*)$`)

// continues checks that an answer goes on behind the first from bytes of
// version v, and returns v with what the answer adds.
func (f *fetcher) continues(resp *http.Response, from int64, v version) (version, error) {
	header := resp.Header.Get("Content-Range")
	m := contentRange.FindStringSubmatch(header)
	if from == 0 || m == nil {
		return v, fmt.Errorf("status %s with Content-Range %q, asked for bytes from %d on", resp.Status, header, from)
	}
	start, err := strconv.ParseInt(m[1], 10, 64)
	total := v.Total
	if err == nil && m[2] != "*" {
		total, err = strconv.ParseInt(m[2], 10, 64)
	}
	now := versionOf(f.URL, resp)
	if err != nil || start != from || v.Total > 0 && total != v.Total || v.ETag != "" && now.ETag != "" && v.ETag != now.ETag {
		err := &temporary{err: fmt.Errorf("the server goes on with another version of the file (%s, have %d bytes of %d)", header, from, v.Total)}
		return v, errors.Join(err, f.part.discard())
	}
	v.Total = total
	return v, nil
}

// notSatisfiable handles the answer that there is nothing behind the first from
// bytes.
func (f *fetcher) notSatisfiable(resp *http.Response, from int64) error {
	if from > 0 && resp.Header.Get("Content-Range") == fmt.Sprintf("bytes */%d", from) {
		return nil // that was all
	}
	if from == 0 {
		return refused(resp)
	}
	return errors.Join(&temporary{err: fmt.Errorf("status %s: the file has changed", resp.Status)}, f.part.discard())
}

// refused is the error of any other status.
func refused(resp *http.Response) error {
	err := fmt.Errorf("status %s", resp.Status)
	switch code := resp.StatusCode; {
	case code == http.StatusRequestTimeout, code == http.StatusTooManyRequests, code >= 500:
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		return &temporary{err, time.Duration(min(max(seconds, 0), int(maxAfter/time.Second))) * time.Second}
	}
	return err
}

func (f *fetcher) tooLong() error {
	return fmt.Errorf("the server sends more than %d bytes", f.Limit)
}

// receive writes the body behind the first from bytes and returns how many there
// are then. The body may end before total bytes only with an error, and must not
// go on behind them; 0 is any total.
func (f *fetcher) receive(ctx context.Context, body io.Reader, guard *time.Timer, from, total int64) (int64, error) {
	out, err := os.OpenFile(f.part.path, os.O_WRONLY, 0)
	if err != nil {
		return from, err
	}
	defer out.Close()
	at := from
	block := make([]byte, 1<<15)
	for {
		f.Progress(at, max(total, 0))
		n, err := body.Read(block)
		guard.Reset(f.Stall)
		if at+int64(n) > f.Limit {
			return at, errors.Join(f.tooLong(), f.part.discard())
		}
		if total > 0 && at+int64(n) > total {
			return at, errors.Join(fmt.Errorf("the server sends more than the %d bytes that it said", total), f.part.discard())
		}
		if _, err := out.WriteAt(block[:n], at); err != nil {
			return at, err
		}
		at += int64(n)
		switch {
		case err == io.EOF && total > 0 && at < total:
			err = io.ErrUnexpectedEOF
			fallthrough
		case err != nil && err != io.EOF:
			return at, f.broken(ctx, err, at, total)
		case err == io.EOF:
			f.Progress(at, at)
			return at, out.Sync()
		}
	}
}

// broken is the error of a body that ended early.
func (f *fetcher) broken(ctx context.Context, err error, at, total int64) error {
	err = f.lost(ctx, err)
	var again *temporary
	if !errors.As(err, &again) {
		return err
	}
	of := ""
	if total > 0 {
		of = fmt.Sprintf(" of %d", total)
	}
	again.err = fmt.Errorf("broken off at byte %d%s: %w", at, of, again.err)
	return again
}
