package printable

import (
	"fmt"
	"strconv"
	"strings"
)

// Count is "1 story" or "2 stories".
func Count(n int, plural string) string {
	if n == 1 {
		if stem, ok := strings.CutSuffix(plural, "ies"); ok {
			plural = stem + "y"
		}
		plural = strings.TrimSuffix(plural, "s")
	}
	return fmt.Sprintf("%d %s", n, plural)
}

// Thousands writes n, which is not negative, in groups of three digits.
func Thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Bytes is a size: "512 bytes" or "1.5 MiB".
func Bytes(n int64) string {
	if n < 1<<10 {
		return fmt.Sprintf("%d bytes", n)
	}
	x, unit := float64(n)/(1<<10), 0
	units := []string{"KiB", "MiB", "GiB", "TiB"}
	for ; x >= 1<<10 && unit+1 < len(units); unit++ {
		x /= 1 << 10
	}
	return fmt.Sprintf("%.1f %s", x, units[unit])
}
