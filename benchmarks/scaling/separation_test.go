package scaling

import (
	"os"
	"testing"
	"time"

	"memobench/internal/must"
)

// separationVariable asks for the test of times, which a machine that is busy
// with other work may fail.
const separationVariable = "MEMOBENCH_TEST_TIMES"

// TestTimesSeparateUTFromEMN is the only gate on times: the intervals of a
// quadratic model's slope and a linear one's must not overlap.
func TestTimesSeparateUTFromEMN(t *testing.T) {
	if os.Getenv(separationVariable) == "" {
		t.Skipf("times are tested where %s is set", separationVariable)
	}
	o := Options{Modes: Modes(), Sizes: Doublings(128, 2048), Examples: 1, Rounds: 5, Sample: DefaultSample, MaxPass: time.Minute}
	for _, name := range []string{"ut", "emn4"} {
		s := must.Get(Find(name))(t)
		o.Systems = append(o.Systems, s)
	}
	r := must.Get(Measure(t.Context(), o))(t)
	for i, mode := range o.Modes {
		ut, emn := r.Series[i].Slope, r.Series[len(o.Modes)+i].Slope
		t.Logf("%s: UT %.2f to %.2f, EMN %.2f to %.2f", mode, ut.Low, ut.High, emn.Low, emn.High)
		if ut.Low <= emn.High {
			t.Errorf("%s: the slopes overlap", mode)
		}
	}
}
