package survey

import (
	"context"
	"fmt"

	"memobench/cmd/memobench/data/files"
	"memobench/datasets"
)

// dataset describes what package files wrote.
func (s *Survey) dataset(ctx context.Context, found *files.Found, o Options) error {
	d, err := files.Open(found.Dataset)
	if err != nil {
		return err
	}
	if s.Notes, err = compare(ctx, d, found.Only, o.Split); err != nil {
		return err
	}
	h := d.Header
	if h.Form == files.FormStories {
		inside, err := files.Stories(d)
		if err != nil {
			return err
		}
		s.Stories, err = stories(ctx, inside, true, o)
		return err
	}
	src, _, err := d.Source()
	if err != nil {
		return err
	}
	for i := range h.Files {
		f := &h.Files[i]
		if f.Content != files.ContentExamples || o.Split != "" && o.Split != f.Split || found.Only != "" && found.Only != f.Name {
			continue
		}
		e := newExamples(src)
		e.Split, e.Seed, e.Path = f.Split, h.Seed, d.Path(f)
		var first error
		d.Scan(f, func(b *datasets.Batch) error {
			o.tick(f.Name, e.Examples, f.Count, "examples")
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return e.add(b, 1)
		}, func(err error) {
			if first == nil {
				first = err
			}
		})
		if first != nil {
			return first
		}
		if e.Examples != f.Count {
			s.Notes = append(s.Notes, fmt.Sprintf("%s: %d examples, the header says %d", d.Path(f), e.Examples, f.Count))
		}
		s.Examples = append(s.Examples, e.finish())
	}
	if s.Examples == nil {
		return fmt.Errorf("%s: no examples of the %s split", found.Dataset, o.Split)
	}
	return nil
}

// compare says in which files a dataset is not what its header says, or in the
// only one that is named: by the content of those that are described, which are
// read anyway, and by the sizes of the others. "data validate" looks at more.
func compare(ctx context.Context, d *files.Dataset, only, split string) ([]string, error) {
	var notes []string
	for i := range d.Header.Files {
		f := &d.Header.Files[i]
		if only != "" && only != f.Name {
			continue
		}
		described := (f.Content == files.ContentExamples || f.Content == files.ContentStories) && (split == "" || split == f.Split)
		err := d.VerifySize(f)
		if err == nil && described {
			err = d.Verify(f, func(int) error { return ctx.Err() })
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			notes = append(notes, err.Error())
		}
	}
	return notes, nil
}
