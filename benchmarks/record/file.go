package record

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"memobench/benchmarks/printable"
	"memobench/datasets/binfile"
	"memobench/datasets/strictjson"
)

// Names of a record, and of its copy in the Go benchmark format, in a run's directory.
const (
	FileName  = "record.json"
	BenchName = "bench.txt"
)

// Marshal returns the record as indented JSON with a final newline. It refuses
// an invalid record.
func (r *Record) Marshal() ([]byte, error) {
	read, err := r.asRead()
	if err != nil {
		return nil, err
	}
	data, err := json.MarshalIndent(read, "", "  ")
	return append(data, '\n'), err
}

// asRead returns the record as a reader of its file gets it. Settings may be structs, whose keys
// are in another order than those of the reader's maps.
func (r *Record) asRead() (*Record, error) {
	err := r.Validate()
	var data []byte
	if err == nil {
		data, err = json.Marshal(r)
	}
	if err == nil {
		r, err = Parse(data)
	}
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	return r, nil
}

// Maximum sizes of files in bytes: a hundred times those of long runs.
const (
	MaxSize     = 16 << 20  // of a record
	MaxTextSize = 256 << 20 // of recorded runs, predictions, a trace or a benchmark file
)

// ReadParsed reads a regular file of at most limit bytes and parses it. Errors name the file.
func ReadParsed[T any](path string, limit int64, parse func([]byte) (T, error)) (v T, err error) {
	data, err := binfile.ReadFile(path, limit)
	if err == nil {
		if v, err = parse(data); err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
	}
	return v, err
}

// ReadFile reads and validates the record at path. Errors name the file.
func ReadFile(path string) (*Record, error) { return ReadParsed(path, MaxSize, Parse) }

// Parse reads one record from JSON. It refuses another schema version, unknown keys,
// anything after the record, and invalid values. It replaces control characters in strings
// by question marks.
func Parse(data []byte) (*Record, error) {
	data = printable.JSON(data)
	r := new(Record)
	if err := strictjson.DecodeVersion(data, "result record", Version, r); err != nil {
		return nil, err
	}
	if err := r.Validate(); err != nil {
		return nil, fmt.Errorf("bad result record: %w", err)
	}
	return r, nil
}

// CheckFile compares the file of that name in the run's directory with the SHA-256 in
// the record. A file without one passes.
func (r *Record) CheckFile(dir, name string) error {
	want, ok := r.Files[name]
	if !ok {
		return nil
	}
	path := filepath.Join(dir, name)
	have, err := SHA256(path)
	if err == nil && have != want {
		err = fmt.Errorf("%s: its SHA-256 is %s, %s says %s: the file is damaged, or of a run that was stopped before its record",
			path, have, FileName, want)
	}
	return err
}

// SHA256 returns the SHA-256 of a regular file in hexadecimal digits.
func SHA256(path string) (string, error) {
	f, _, err := binfile.OpenRegular(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

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
	err := json.Unmarshal(data, &m)
	if err != nil || m == nil {
		return err
	}
	*v = Values{}
	for key, raw := range m {
		var value any
		var nested Values
		if raw[0] == '{' {
			err = json.Unmarshal(raw, &nested)
			value = map[string]any(nested)
		} else if n, notInteger := strconv.ParseUint(string(raw), 10, 64); notInteger == nil && uint64(float64(n)) != n {
			value = json.Number(raw)
		} else {
			err = json.Unmarshal(raw, &value)
		}
		if err != nil {
			return err
		}
		(*v)[key] = value
	}
	return nil
}
