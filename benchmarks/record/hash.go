package record

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
)

// HashOf returns 12 hexadecimal digits of the SHA-256 of v's JSON, in which the
// keys of maps are sorted. v holds plain finite values.
func HashOf(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("record: hashing %T: %v", v, err))
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:6])
}

// Values holds settings by their keys.
type Values map[string]any

// count returns the whole number of a key, if it has one.
func (v Values) count(key string) (int, bool) {
	switch n := v[key].(type) {
	case float64:
		return int(n), n == float64(int(n))
	case int:
		return n, true
	}
	return 0, false
}

// UnmarshalJSON reads numbers as float64, and as json.Number the integers that
// float64 would round, such as large seeds: their hash depends on every digit.
func (v *Values) UnmarshalJSON(data []byte) error {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(data, &m); err != nil || m == nil {
		return err
	}
	*v = Values{}
	for key, raw := range m {
		var nested Values
		if raw[0] == '{' {
			if err := json.Unmarshal(raw, &nested); err != nil {
				return err
			}
			(*v)[key] = map[string]any(nested)
			continue
		}
		var value any
		if err := json.Unmarshal(raw, &value); err != nil {
			return err
		}
		if n, err := strconv.ParseUint(string(raw), 10, 64); err == nil && uint64(float64(n)) != n {
			value = json.Number(raw)
		}
		(*v)[key] = value
	}
	return nil
}
