package files

import (
	"io"
	"strings"

	"memobench/datasets"
	"memobench/datasets/babi"
)

// stories writes simulated bAbI files, and takes the header from what package
// babi reads in them.
func (w *writer) stories() error {
	w.header.Form = FormStories
	numbers, err := w.plan.Babi.Numbers()
	if err != nil {
		return err
	}
	train, test := w.plan.Counts[datasets.Train], w.plan.Counts[datasets.Test]
	w.total = len(numbers) * (train + test)
	for _, told := range babi.SimulatedFiles(numbers, w.plan.Seed, train, test) {
		f := File{Name: told.Name, Content: ContentStories}
		switch {
		case told.Name == babi.Marker:
			f.Content = ContentText
		case strings.HasSuffix(told.Name, "_train.txt"):
			f.Split, f.Count = datasets.Train.String(), train
		default:
			f.Split, f.Count = datasets.Test.String(), test
		}
		fill := func(out io.Writer) error { return told.Write(interruptible{w, out}) }
		if err := w.file(f, fill); err != nil {
			return err
		}
		if err := w.step(f.Name, f.Count); err != nil {
			return err
		}
	}
	src, err := babi.Open(*w.plan.Babi, datasets.Options{DataPath: w.dir})
	if err != nil {
		return err
	}
	w.header.describe(src)
	return nil
}

// interruptible is a writer that fails when the context has ended.
type interruptible struct {
	*writer
	out io.Writer
}

func (w interruptible) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.out.Write(p)
}
