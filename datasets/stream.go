package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// StreamSeed returns the seed of a math/rand/v2 PCG for one purpose, split, seed and step.
// Neighbouring arguments give unrelated streams: each argument passes through a 64-bit mix
// before the next one is added.
func StreamSeed(purpose string, split Split, seed, step uint64) (uint64, uint64) {
	// FNV-1a (64 bit) of the purpose.
	h := uint64(14695981039346656037)
	for i := range len(purpose) {
		h = (h ^ uint64(purpose[i])) * 1099511628211
	}
	h = Mix(h)
	h = Mix(h ^ Mix(uint64(split)+1))
	h = Mix(h ^ Mix(seed))
	h = Mix(h ^ Mix(step))
	return h, Mix(h)
}

// Mix is the SplitMix64 step: a bijection on 64 bits in which every input bit
// flips about half of the output bits.
//
// Source: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number
// Generators", OOPSLA 2014; constants of D. Stafford's variant 13.
func Mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Of 10 items, one belongs to Validation, one to Test and the others to Train.
const splitShares = 10

// SplitByHash returns the split of a generated item by its 64-bit uniform hash: 80 % of all
// items belong to Train, 10 % to Validation and 10 % to Test. A generator that samples items
// until one belongs to the split (rejection sampling) shares no item between splits.
func SplitByHash(h uint64) Split {
	switch h % splitShares {
	case 0:
		return Validation
	case 1:
		return Test
	}
	return Train
}

// SettingStrings returns the values of a struct's settings by key, as a Spec has them. Settings that
// may be omitted are, where they are zero.
func SettingStrings(settings any) map[string]string {
	list, v := map[string]string{}, reflect.ValueOf(settings)
	for _, f := range reflect.VisibleFields(v.Type()) {
		key, option, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if value := v.FieldByIndex(f.Index); key != "" && !(option == "omitempty" && value.IsZero()) {
			list[key] = fmt.Sprint(reflect.Indirect(value))
		}
	}
	return list
}

// Fingerprint returns 16 hexadecimal digits for Spec.Hash. version names the generator or
// reader and its version, which must change when the same settings give other batches.
// contents are digests of files, if any.
func Fingerprint(version string, settings map[string]string, contents ...string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q\n", version)
	for _, k := range slices.Sorted(maps.Keys(settings)) {
		fmt.Fprintf(h, "%q=%q\n", k, settings[k])
	}
	for _, c := range contents {
		fmt.Fprintf(h, "%q\n", c)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
