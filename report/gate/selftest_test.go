package gate

import (
	"strings"
	"testing"

	"memobench/datasets/must"
	"memobench/report/results"
)

const recorded = "../../benchmarks/recorded/"

// On the recorded runs the gate passes A against A, every injected drop and failure fails,
// and no collapsed run passes.
func TestTheGateCanPassAndCanFail(t *testing.T) {
	for _, name := range []string{"quick", "quick-openblas", "seeds/pai3.txt"} {
		a := must.Get(results.Read(recorded + name))(t)
		s := must.Get(RunSelfTest(a, Defaults()))(t)
		var text strings.Builder
		must.Do(t, s.Print(&text))
		if s.Verdict != Pass || s.Probes[0].Got != Pass || len(s.Probes) < 20 {
			t.Errorf("%s:\n%s", name, text.String())
		}
		for _, p := range s.Probes[1:] {
			if p.Want == Pass || !p.right() {
				t.Errorf("%s: %+v", name, p)
			}
		}
	}
}

// If no drop can be detected the self-test says that the gate is blind, and is
// inconclusive; a wrong verdict of the gate fails it.
func TestSelfTestNamesBlindCells(t *testing.T) {
	s := must.Get(RunSelfTest(set(t, bench("A-C", "accuracy", 98)), Defaults()))(t)
	var text strings.Builder
	must.Do(t, s.Print(&text))
	if s.Verdict != Inconclusive || !strings.Contains(text.String(), "BLIND pai3 memo A-C accuracy dropped: one run on each side") {
		t.Errorf("%s:\n%s", s.Verdict, text.String())
	}
	s.Probes[0].Got = Fail
	if s.setVerdict(); s.Verdict != Fail {
		t.Errorf("verdict %s of a gate that fails A against A", s.Verdict)
	}
}
