package checkpoint

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/datasets/must"
)

// FuzzLoad checks that no pair of files makes the reader panic, and that accepted files can be
// saved and loaded again. Size and digest are corrected, since mutations would not find them;
// TestLoadRefuses covers wrong ones.
func FuzzLoad(f *testing.F) {
	dir := f.TempDir()
	must.Do(f, Save(dir, sample(12)))
	var jsonData, tensorData []byte
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		data := must.Get(os.ReadFile(filepath.Join(dir, e.Name())))(f)
		if strings.HasSuffix(e.Name(), indexExt) {
			jsonData = data
		} else {
			tensorData = data
		}
	}
	f.Add(jsonData, tensorData)
	f.Add([]byte(`{"schema":1,"step":0,"tensors":{"file":"x"}}`), []byte("\x02\x00\x00\x00\x00\x00\x00\x00{}"))
	f.Add([]byte(`{"schema":2}`), []byte{})
	f.Fuzz(func(t *testing.T, indexData, tensors []byte) {
		x, err := parseIndex(indexData)
		if err != nil {
			return
		}
		sum := sha256.Sum256(tensors)
		x.Tensors.Size, x.Tensors.SHA256 = int64(len(tensors)), hex.EncodeToString(sum[:])
		c, err := decode(x, bytes.NewReader(tensors), int64(len(tensors)))
		if err != nil {
			return
		}
		if _, err := pack(c); err != nil {
			t.Fatalf("accepted but cannot be packed: %v", err)
		}
	})
}
