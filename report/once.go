package report

import (
	"slices"

	"memobench/benchmarks/record"
)

// Once drops runs that repeat another one's configuration and seed, which would
// count twice: the first that was read counts. It returns one note for each that
// was dropped.
func Once(runs []Run) (kept []Run, repeats map[string][]Run) {
	repeats = map[string][]Run{}
	for _, run := range runs {
		i := slices.IndexFunc(kept, func(k Run) bool { return sameCell(k.Record, run.Record) })
		if i < 0 {
			kept = append(kept, run)
			continue
		}
		repeats[kept[i].Path] = append(repeats[kept[i].Path], run)
	}
	return kept, repeats
}

// sameCell reports whether two records are of the same run, done once more: the
// same model, settings, protocol, data and seed. A setting that one of them does
// not name came into the program later, with the value that was used before.
func sameCell(a, b *record.Record) bool {
	return a.Identity.Seed == b.Identity.Seed && a.Identity.Label == b.Identity.Label && a.Protocol.Hash == b.Protocol.Hash &&
		a.Dataset.Hash == b.Dataset.Hash && taskOf(a) == taskOf(b) && a.Evaluation.Split == b.Evaluation.Split &&
		agree(modelSettings(a), modelSettings(b))
}

// agree reports whether two sets of settings have the same value wherever both
// have one.
func agree(a, b map[string]string) bool {
	for key, v := range a {
		if w, both := b[key]; both && v != w {
			return false
		}
	}
	return true
}
