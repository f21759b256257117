package record

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/datasets/must"
)

const twoPoints = `{"step":250,"examples":16000,"train_loss":1,"learning_rate":0.001,"loss":0.5,"hops":3,"kinds":[{"name":"A-B","total":10,"correct":9},{"name":"A-C","total":10,"correct":5}],"seconds":1}
{"step":500,"examples":32000,"train_loss":0.5,"learning_rate":0.001,"loss":0.25,"kinds":[{"name":"A-B","total":10,"correct":10},{"name":"A-C","total":10,"correct":9}],"seconds":2}
`

func TestACurveIsReadPointByPoint(t *testing.T) {
	path := filepath.Join(t.TempDir(), CurveName)
	must.Do(t, os.WriteFile(path, []byte(twoPoints), 0o644))
	points, err := ReadCurve(path)
	if err != nil || len(points) != 2 {
		t.Fatalf("%+v, %v", points, err)
	}
	if p := points[0]; p.Step != 250 || *p.Hops != 3 || p.Accuracy() != 70 || points[1].Hops != nil {
		t.Errorf("%+v", points)
	}
}

func TestABrokenCurveIsRefusedWithItsLine(t *testing.T) {
	for text, want := range map[string]string{
		twoPoints[:len(twoPoints)-20]:                             "line 2",
		twoPoints + twoPoints:                                     "line 3: step 250 after step 500",
		strings.Replace(twoPoints, `:9}`, `:11}`, 1):              `line 1: kind "A-B": 11 right of 10`,
		strings.Replace(twoPoints, `"loss":0.5`, `"loss":NaN`, 1): "line 1",
	} {
		path := filepath.Join(t.TempDir(), CurveName)
		must.Do(t, os.WriteFile(path, []byte(text), 0o644))
		if _, err := ReadCurve(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzParseCurve(f *testing.F) {
	f.Add([]byte(twoPoints))
	f.Add([]byte(twoPoints[:300]))
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		points, err := parseCurve(data)
		last := 0
		for _, p := range points {
			if p.Step <= last {
				t.Errorf("step %d after %d", p.Step, last)
			}
			last = p.Step
			if a := p.Accuracy(); !(a >= 0 && a <= 100) {
				t.Errorf("accuracy %v", a)
			}
		}
		if err != nil && points != nil {
			t.Errorf("points and %v", err)
		}
	})
}

// The size of a curve is bounded before it is read.
func TestACurveThatIsTooLargeIsNotRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), CurveName)
	must.Do(t, os.WriteFile(path, nil, 0o600))
	must.Do(t, os.Truncate(path, 250<<20))
	if _, err := ReadCurve(path); err == nil || !strings.Contains(err.Error(), "larger than 32 MiB") {
		t.Error(err)
	}
}
