package datasets

import (
	"math"
	"math/bits"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestRegistryFindsWhatWasRegistered(t *testing.T) {
	saved := registry
	defer func() { registry = saved }()
	registry = map[string]Entry{}

	Register(Entry{Name: "two"})
	Register(Entry{Name: "one", Title: "One"})
	if got, want := Names(), []string{"one", "two"}; !slices.Equal(got, want) {
		t.Errorf("Names() = %v, want %v", got, want)
	}
	if e, ok := Lookup("one"); !ok || e.Title != "One" {
		t.Errorf("Lookup(one) = %v, %v", e, ok)
	}
	if _, ok := Lookup("three"); ok {
		t.Error("Lookup(three) found something")
	}
	defer func() {
		if recover() == nil {
			t.Error("registering a name twice did not panic")
		}
	}()
	Register(Entry{Name: "one"})
}

// Neighbouring steps, seeds, splits and purposes must give unrelated streams:
// about half of the 64 bits of a seed word differ. Over 1,000 pairs the mean
// number of differing bits has a standard deviation of 4/sqrt(1000) = 0.13.
func TestStreamSeedSeparatesNeighbours(t *testing.T) {
	changes := map[string]func(i uint64) (a, b uint64){
		"step": func(i uint64) (uint64, uint64) {
			a, _ := StreamSeed("p", Train, 1, i)
			b, _ := StreamSeed("p", Train, 1, i+1)
			return a, b
		},
		"seed": func(i uint64) (uint64, uint64) {
			a, _ := StreamSeed("p", Train, i, 7)
			b, _ := StreamSeed("p", Train, i+1, 7)
			return a, b
		},
		"seed and step swapped": func(i uint64) (uint64, uint64) {
			a, _ := StreamSeed("p", Train, i, i+1)
			b, _ := StreamSeed("p", Train, i+1, i)
			return a, b
		},
		"split": func(i uint64) (uint64, uint64) {
			a, _ := StreamSeed("p", Train, 3, i)
			b, _ := StreamSeed("p", Test, 3, i)
			return a, b
		},
		"purpose": func(i uint64) (uint64, uint64) {
			a, _ := StreamSeed("p", Train, 3, i)
			b, _ := StreamSeed("q", Train, 3, i)
			return a, b
		},
	}
	for name, pair := range changes {
		const pairs = 1000
		differ := 0
		for i := range uint64(pairs) {
			a, b := pair(i)
			differ += bits.OnesCount64(a ^ b)
		}
		if mean := float64(differ) / pairs; mean < 31.3 || mean > 32.7 {
			t.Errorf("%s: %.2f of 64 bits differ on average, want 32 within 0.7", name, mean)
		}
	}
}

func TestSplitByHashKeepsShares(t *testing.T) {
	const n = 100_000
	var counts [3]int
	for i := range uint64(n) {
		counts[SplitByHash(Mix(i))]++
	}
	for split, share := range []float64{.8, .1, .1} {
		want, slack := n*share, 5*math.Sqrt(n*share*(1-share))
		if math.Abs(float64(counts[split])-want) > slack {
			t.Errorf("%v owns %d of %d hashes, want %.0f within %.0f", Split(split), counts[split], n, want, slack)
		}
	}
}

// The error names exactly the differences.
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
	other.MaxRows++
	if err := CheckTrained(other, Options{Trained: opts.Trained, Shifted: true}); err != nil {
		t.Errorf("more rows in a shifted evaluation: %v", err)
	}
	other = shape
	other.Vocabulary, other.ItemDim = 7, 9
	want := "the data do not fit the model: classes or words 7, features of an item 9, and it was trained on classes or words 10, features of an item 70"
	if err := CheckTrained(other, opts); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
