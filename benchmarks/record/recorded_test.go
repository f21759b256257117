package record

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/datasets/must"
)

// Recorded studies are in the form that this version writes, and each learning curve is the
// file whose SHA-256 the record has.
func TestRecordedStudiesStayAsTheyAre(t *testing.T) {
	files, err := filepath.Glob("../recorded/*/" + RecordsName)
	if err != nil || len(files) == 0 {
		t.Fatalf("%d recorded studies, error %v", len(files), err)
	}
	for _, file := range files {
		dir := filepath.Dir(file)
		list := must.Get(ReadRecords(file))(t)
		if string(must.Get(os.ReadFile(file))(t)) != string(must.Get(MarshalRecords(list))(t)) {
			t.Errorf("%s: written again it is another file", file)
		}
		var curves []RunCurve
		if _, err := os.Stat(filepath.Join(dir, CurvesName)); err == nil {
			curves = must.Get(ReadCurves(filepath.Join(dir, CurvesName)))(t)
		}
		for _, r := range list {
			if r.Identity.Study != filepath.Base(dir) {
				t.Errorf("%s: a record of study %s", file, r.Identity.Study)
			}
			if r.Origin != Trained {
				continue
			}
			c, ok := FindCurve(curves, r.Identity.Key())
			if !ok {
				t.Errorf("%s: no curve of %v", file, r.Identity.Key())
				continue
			}
			points, err := c.Decode()
			if err != nil || len(points) != r.Curve.Points {
				t.Errorf("%s: %v: %d points, the record has %d (%v)", file, r.Identity.Key(), len(points), r.Curve.Points, err)
			}
			if want, ok := r.Files[CurveName]; ok && fmt.Sprintf("%x", sha256.Sum256(c.Bytes())) != want {
				t.Errorf("%s: %v: the curve is not the one of the record", file, r.Identity.Key())
			}
		}
	}
}

func TestEarlierIdentitiesAreRead(t *testing.T) {
	var i Identity
	earlier := `{"preset":"standard","task":"pai3","label":"memo","title":"MEMO","model":"memo","seed":1,"cell":"",
		"overrides":["model.heads=8","training.learning_rate=1e-3"]}`
	if err := i.UnmarshalJSON([]byte(earlier)); err != nil {
		t.Fatal(err)
	}
	want := Identity{Study: "standard", Task: "pai3", Name: "memo,heads=8,learning_rate=1e-3", Title: "MEMO", Model: "memo", Seed: 1}
	if d := cmp.Diff(want, i); d != "" {
		t.Error(d)
	}
	if i.UnmarshalJSON([]byte(`{"labl":"memo"}`)) == nil {
		t.Error("an unknown key was accepted")
	}
}
