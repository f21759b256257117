package fetch

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

// errRedirect marks a redirection that is not followed.
var errRedirect = errors.New("redirection refused")

const maxRedirects = 10

// defaultClient follows redirections, but not from HTTPS to anything less. It
// has no limit on the whole time: a stalled connection is noticed by its bytes.
func defaultClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableCompression = true
	return &http.Client{Transport: transport, CheckRedirect: func(req *http.Request, via []*http.Request) error {
		switch last := via[len(via)-1].URL; {
		case len(via) > maxRedirects:
			return fmt.Errorf("%w: more than %d", errRedirect, maxRedirects)
		case req.URL.Scheme != "https" && last.Scheme == "https":
			return fmt.Errorf("%w: from %s to %s", errRedirect, last.Redacted(), req.URL.Redacted())
		}
		return nil
	}}
}

// CheckURL reports why a URL cannot be fetched from.
func CheckURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return inner(err)
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("scheme %q, want http or https", u.Scheme)
	case u.Host == "":
		return errors.New("no host")
	}
	return nil
}

// url returns the URL without a password, for messages.
func (f *fetcher) url() string {
	u, err := url.Parse(f.URL)
	if err != nil {
		return "the URL"
	}
	return u.Redacted()
}

// inner drops what package net/url puts before an error: method and URL.
func inner(err error) error {
	var outer *url.Error
	if errors.As(err, &outer) {
		return outer.Err
	}
	return err
}
