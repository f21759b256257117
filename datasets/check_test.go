package datasets

import (
	"reflect"
	"strings"
	"testing"
)

// Whatever differs is named, and nothing else.
func TestWhatDoesNotFitTheModelIsNamed(t *testing.T) {
	var shape Shape
	all := reflect.ValueOf(&shape).Elem()
	for i := range all.NumField() {
		if f := all.Field(i); f.CanInt() {
			f.SetInt(int64(10 * (i + 1)))
		}
	}
	opts := Options{Trained: &Trained{Shape: shape}}
	if err := CheckTrained(shape, opts); err != nil {
		t.Error(err)
	}
	if err := CheckTrained(Shape{}, Options{}); err != nil {
		t.Errorf("without a model: %v", err)
	}
	for i := range all.NumField() {
		other := shape
		if f := reflect.ValueOf(&other).Elem().Field(i); f.CanInt() {
			f.SetInt(7)
		} else {
			f.SetBool(true)
		}
		err := CheckTrained(other, opts)
		if name := all.Type().Field(i).Name; err == nil || strings.Count(err.Error(), ",") != 1 || strings.Contains(err.Error(), ": ,") {
			t.Errorf("%s: %v, want it named alone", name, err)
		}
	}
	other := shape
	other.Vocabulary, other.ItemDim = 7, 9
	want := "the data do not fit the model: classes or words 7, features of an item 9, and it was trained on classes or words 10, features of an item 70"
	if err := CheckTrained(other, opts); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
