package data

import (
	"errors"
	"strings"
	"testing"

	"memobench/benchmarks/suggest"
	"memobench/datasets"
	"memobench/datasets/babi"
	"memobench/datasets/must"
)

func TestExamplesOfAKind(t *testing.T) {
	src := plan(t, "pai4", [3]int{}, "sequences=4", "classes=60").source
	for _, kind := range src.Kinds() {
		list, err := Draw(src, Pick{Kind: kind, N: 5, Split: datasets.Test})
		if err != nil || len(list) != 5 {
			t.Fatalf("%s: %d examples, %v", kind, len(list), err)
		}
		for _, e := range list {
			if e.Kind != kind || len(e.Rows) != 12 || len(e.Text) != 13 {
				t.Errorf("%s: %+v", kind, e)
			}
		}
	}
	any, err := Draw(src, Pick{N: 40})
	kinds := map[string]bool{}
	for _, e := range any {
		kinds[e.Kind] = true
	}
	if err != nil || len(any) != 40 || len(kinds) < 4 {
		t.Errorf("%d examples of kinds %v (%v)", len(any), kinds, err)
	}
	var unknown *suggest.UnknownError
	if _, err := Draw(src, Pick{Kind: "A-Z", N: 1}); !errors.As(err, &unknown) {
		t.Errorf("kind A-Z: %v", err)
	}
	if _, err := Draw(src, Pick{N: 1, Split: 7}); err == nil {
		t.Error("split 7 is taken")
	}
}

func TestExamplesAreWrittenAsTheirSourcePrintsThem(t *testing.T) {
	src := plan(t, "pai4", [3]int{}, "sequences=4", "classes=60").source
	var out strings.Builder
	must.Do(t, WriteExamples(&out, src, Pick{N: 2, Split: datasets.Validation, Seed: 3}))
	var b datasets.Batch
	must.Do(t, src.Batch(&b, datasets.Validation, 3, 0, 2))
	want := "pai4, validation split\n"
	for _, l := range src.Spec().Caveats.Texts() {
		want += "label: " + l + "\n"
	}
	for i := range 2 {
		var one strings.Builder
		must.Do(t, src.(datasets.Printer).Print(&one, &b, i))
		want += "\n" + one.String()
	}
	if out.String() != want {
		t.Errorf("written\n%s\nwant\n%s", &out, want)
	}
	mute := struct{ datasets.Source }{src}
	if err := WriteExamples(&out, mute, Pick{N: 1}); err == nil || !strings.Contains(err.Error(), "ask for JSON") {
		t.Errorf("a source that does not print: %v", err)
	}
	if list, err := Draw(mute, Pick{N: 1}); err != nil || len(list) != 1 || list[0].Text != nil {
		t.Errorf("a source that does not print, as JSON: %+v, %v", list, err)
	}
}

// Stories are shown if their files exist.
func TestStoriesAreShownInWords(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"qa1_test.txt": story, "qa7_test.txt": story + story, "qa7_train.txt": story})
	src := must.Get(babi.Open(*babi.Defaults(), datasets.Options{DataPath: dir, Splits: []datasets.Split{datasets.Test}, Partial: true}))(t)
	var out strings.Builder
	if err := WriteExamples(&out, src, Pick{N: 1, Split: datasets.Test, Kind: "7"}); err != nil ||
		!strings.HasSuffix(out.String(), "\n\ntask 7: Counting\n  1  mary went to the office.\n     where is mary?  office\n") {
		t.Errorf("%v\n%s", err, &out)
	}
}
