package table

import "memobench/benchmarks/record"

// OwnSpecs lists the tables of our own: of what the paper leaves open.
func OwnSpecs() []Spec { return []Spec{orderSpec(), haltingSpec(), targetsSpec()} }

// with keeps the runs whose data have the values of two settings.
func with(a, valueA, b, valueB string) func(*record.Record) bool {
	return func(r *record.Record) bool {
		return r.Dataset.Settings[a] == valueA && r.Dataset.Settings[b] == valueB
	}
}

// changed lists those of the settings that are not as the presets have them, as
// --set takes them.
func changed(key, value, usual string) []string {
	if value == usual {
		return nil
	}
	return []string{"task." + key + "=" + value}
}
