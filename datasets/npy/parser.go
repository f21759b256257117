package npy

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// parser reads the description, which is written as a dictionary in Python:
//
//	{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
type parser struct {
	text  string
	start int64 // offset of the text
	at    int
}

// header reads the whole text. On an error, p.at is where it is.
func (p *parser) header() (h header, err error) {
	h.at = map[string]int64{}
	if err := p.expect('{'); err != nil {
		return h, err
	}
	for !p.take('}') {
		p.blanks()
		start := p.at
		key, err := p.quoted()
		if _, twice := h.at[key]; err == nil && twice {
			err = fmt.Errorf("%q stands twice", key)
			p.at = start
		}
		if err == nil {
			err = p.expect(':')
		}
		if err != nil {
			return h, err
		}
		p.blanks()
		h.at[key] = p.start + int64(p.at)
		switch key {
		case "descr":
			if p.at < len(p.text) && strings.ContainsRune("[({", rune(p.text[p.at])) {
				return h, fmt.Errorf("elements are structures, want numbers")
			}
			h.descr, err = p.quoted()
		case "fortran_order":
			h.fortran, err = p.truth()
		case "shape":
			h.shape, err = p.tuple()
		default:
			p.at = start
			err = fmt.Errorf("key %.40q, want descr, fortran_order and shape", key)
		}
		if err != nil {
			return h, err
		}
		if !p.take(',') {
			if err := p.expect('}'); err != nil {
				return h, err
			}
			break
		}
	}
	for _, key := range []string{"descr", "fortran_order", "shape"} {
		if _, ok := h.at[key]; !ok {
			return h, fmt.Errorf("no %s in the description", key)
		}
	}
	if p.blanks(); p.at < len(p.text) {
		return h, fmt.Errorf("%q after the description", p.next())
	}
	return h, nil
}

func (p *parser) blanks() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

// next returns a little of what comes, for messages.
func (p *parser) next() string { return p.text[p.at:min(len(p.text), p.at+16)] }

// take skips c if it comes next.
func (p *parser) take(c byte) bool {
	p.blanks()
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(c byte) error {
	if p.take(c) {
		return nil
	}
	return fmt.Errorf("%q, want %q", p.next(), c)
}

// quoted reads a string. Type names and keys need no escapes.
func (p *parser) quoted() (string, error) {
	p.blanks()
	if p.at < len(p.text) && (p.text[p.at] == '\'' || p.text[p.at] == '"') {
		rest := p.text[p.at+1:]
		end := strings.IndexByte(rest, p.text[p.at])
		if end >= 0 && !strings.Contains(rest[:end], `\`) {
			p.at += 1 + end + 1
			return rest[:end], nil
		}
	}
	return "", fmt.Errorf("%q, want a quoted word", p.next())
}

func (p *parser) truth() (bool, error) {
	for _, word := range []string{"True", "False"} {
		if strings.HasPrefix(p.text[p.at:], word) {
			p.at += len(word)
			return word == "True", nil
		}
	}
	return false, fmt.Errorf("%q, want True or False", p.next())
}

// tuple reads the lengths of an array's axes: (), (3,), (3, 4).
func (p *parser) tuple() ([]int, error) {
	if err := p.expect('('); err != nil {
		return nil, err
	}
	shape := []int{}
	for comma := true; !p.take(')'); comma = p.take(',') {
		p.blanks()
		digits := p.at
		for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
			p.at++
		}
		n, err := strconv.ParseInt(p.text[digits:p.at], 10, strconv.IntSize)
		if err != nil || !comma {
			p.at = digits
			return nil, fmt.Errorf("%q, want a whole number from 0 to %d, ',' or ')'", p.next(), math.MaxInt)
		}
		if shape = append(shape, int(n)); len(shape) > maxDims {
			return nil, fmt.Errorf("more than %d axes", maxDims)
		}
		if p.at < len(p.text) && p.text[p.at] == ')' && len(shape) == 1 {
			return nil, fmt.Errorf("%q, want ',' : a tuple of one number has one", p.next())
		}
	}
	return shape, nil
}
