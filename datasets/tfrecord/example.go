package tfrecord

import (
	"iter"
	"unicode/utf8"
)

// maxName limits the names of features, which are copied.
const maxName = 1024

// Example is a tf.train.Example: features by name. It refers to the bytes that
// it was made from and is valid as long as they are.
type Example struct{ m message }

// ParseExample checks that data, which are at the given offset of a file, are
// an Example.
func ParseExample(file string, offset int64, data []byte) (Example, error) {
	e := Example{message{file, offset, data}}
	return e, e.each(func(string, Feature) bool { return true })
}

// Features yields names and features in the order of the file. As in any
// protocol buffer, of two features with one name the later counts.
func (e Example) Features() iter.Seq2[string, Feature] {
	return func(yield func(string, Feature) bool) {
		_ = e.each(yield) // ParseExample found no error
	}
}

// Feature returns the feature of the given name.
func (e Example) Feature(name string) (found Feature, ok bool) {
	for n, f := range e.Features() {
		if n == name {
			found, ok = f, true
		}
	}
	return found, ok
}

// each calls visit for every feature until it says no.
//
//	message Example  { Features features = 1; }
//	message Features { map<string, Feature> feature = 1; }
func (e Example) each(visit func(name string, f Feature) bool) error {
	err := e.m.fields(func(f field) error {
		if f.number != 1 {
			return nil // unknown fields are skipped
		}
		if err := f.delimited("features of an Example"); err != nil {
			return err
		}
		return f.value.fields(func(f field) error {
			if f.number != 1 {
				return nil
			}
			name, feature, err := mapEntry(f)
			if err == nil && !visit(name, feature) {
				return errStop
			}
			return err
		})
	})
	if err == errStop {
		return nil
	}
	return err
}

// mapEntry reads one feature and its name.
//
//	message Entry { string key = 1; Feature value = 2; }
func mapEntry(entry field) (name string, feature Feature, err error) {
	if err := entry.delimited("entry of features"); err != nil {
		return "", Feature{}, err
	}
	feature.body = message{file: entry.value.file, at: entry.at} // without a value
	var names, values int
	err = entry.value.fields(func(f field) error {
		switch f.number {
		case 1:
			if err := f.delimited("name of a feature"); err != nil {
				return err
			}
			if len(f.value.data) > maxName {
				return f.errorf("name of a feature of %d bytes, want at most %d", len(f.value.data), maxName)
			}
			if !utf8.Valid(f.value.data) {
				return f.errorf("name of a feature %q is not UTF-8", f.value.data)
			}
			name = string(f.value.data)
			names++
		case 2:
			if err := f.delimited("value of a feature"); err != nil {
				return err
			}
			values++
			var err error
			feature, err = newFeature(f.value)
			return err
		}
		return nil
	})
	if err == nil && (names > 1 || values > 1) {
		err = entry.errorf("entry of features with %d names and %d values, want one of each", names, values)
	}
	return name, feature, err
}
