package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sort"
)

// Fingerprint returns 16 hexadecimal digits for Spec.Hash. version names the
// generator or reader and its version (to be raised when the same settings
// would give other batches), contents are digests of files, if any.
func Fingerprint(version string, settings map[string]string, contents ...string) string {
	keys := make([]string, 0, len(settings))
	for k := range settings {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	h := sha256.New()
	fmt.Fprintf(h, "%q\n", version)
	for _, k := range keys {
		fmt.Fprintf(h, "%q=%q\n", k, settings[k])
	}
	for _, c := range contents {
		fmt.Fprintf(h, "%q\n", c)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
