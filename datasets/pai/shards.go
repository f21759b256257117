package pai

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"

	"memobench/datasets"
	"memobench/datasets/tfrecord"
)

// folders are the names of the splits in the released data.
var folders = [...]string{datasets.Train: "train", datasets.Validation: "valid", datasets.Test: "test"}

// shardName matches trials-00003-of-00500; other files are ignored.
var shardName = regexp.MustCompile(`^trials-(\d{5})-of-(\d{5})$`)

// minRecord is the minimum size of a record in bytes; real ones have hundreds of thousands. It
// keeps an index smaller than its files.
const minRecord = 64

// shard is one file with the index of its records.
type shard struct {
	path    string
	records []tfrecord.Record
}

// shardSet is a folder of shards.
type shardSet struct {
	dir    string
	of     int // number of shards according to the names
	shards []shard
	ends   []int // cumulative number of records
	digest string
}

// findShards lists the shards of a folder without opening them. The error for a missing
// folder, or one without shards, is fs.ErrNotExist.
func findShards(dir string) (*shardSet, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	set := &shardSet{dir: dir}
	for _, e := range entries {
		m := shardName.FindStringSubmatch(e.Name())
		if m == nil {
			continue
		}
		path := filepath.Join(dir, e.Name())
		number, _ := strconv.Atoi(m[1])
		of, _ := strconv.Atoi(m[2])
		if number >= of {
			return nil, fmt.Errorf("%s: there is no shard %d of %d", path, number, of)
		}
		if set.of != 0 && of != set.of {
			return nil, fmt.Errorf("%s is of %d shards, %s of %d: keep those of one set", path, of, set.shards[0].path, set.of)
		}
		set.of = of
		set.shards = append(set.shards, shard{path: path})
	}
	if len(set.shards) == 0 {
		return nil, &fs.PathError{Op: "find shards (trials-00000-of-00001, ...)", Path: dir, Err: fs.ErrNotExist}
	}
	return set, nil
}

// index finds the records of all shards. It reads and checks their lengths, not their data.
func (set *shardSet) index() error {
	sum := sha256.New()
	for i := range set.shards {
		s := &set.shards[i]
		f, err := tfrecord.Open(s.path)
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "%s\n", filepath.Base(s.path))
		for rec, err := range f.Records() {
			if err == nil && rec.Length < minRecord {
				err = f.Errorf(rec.Offset, "a record of %d bytes holds no trials", rec.Length)
			}
			if err != nil {
				f.Close()
				return err
			}
			// The checksum stands for the data.
			fmt.Fprintf(sum, "%d %08x\n", rec.Length, rec.CRC)
			s.records = append(s.records, rec)
		}
		if err := f.Close(); err != nil {
			return err
		}
		set.ends = append(set.ends, set.records()+len(s.records))
	}
	if set.records() == 0 {
		return fmt.Errorf("%s: no records in %d shards", set.dir, len(set.shards))
	}
	set.digest = hex.EncodeToString(sum.Sum(nil))
	return nil
}

// records returns the number of records of all shards.
func (set *shardSet) records() int {
	if len(set.ends) == 0 {
		return 0
	}
	return set.ends[len(set.ends)-1]
}

// recordIndex identifies a record of a set.
type recordIndex struct{ shard, record int }

// at returns record i in the order of the files.
func (set *shardSet) at(i int) recordIndex {
	s := sort.SearchInts(set.ends, i+1)
	return recordIndex{s, i - (set.ends[s] - len(set.shards[s].records))}
}

// findReleased returns the directory with the folders of the given length: dir/lengthN or dir.
func findReleased(dir string, length int) (string, error) {
	for _, d := range []string{filepath.Join(dir, fmt.Sprintf("length%d", length)), dir} {
		for _, folder := range folders {
			if info, err := os.Stat(filepath.Join(d, folder)); err == nil && info.IsDir() {
				return d, nil
			} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return "", err
			}
		}
	}
	return "", fmt.Errorf("%s: no folders train, valid or test there, nor in length%d below it; %s", dir, length, howToReleased)
}

// recordOrder is an endless random order of the records of a set, with random access: in each
// epoch it shuffles the shards, and the records within each shard, with the seed.
type recordOrder struct {
	set   *shardSet
	split datasets.Split
	seed  uint64

	begun   bool
	epoch   uint64
	shards  []int // order of this epoch
	before  int   // records of the epoch before the current shard
	shard   int
	records []int // order of its records
}

// at returns record n of the order.
func (w *recordOrder) at(n uint64) recordIndex {
	total := uint64(w.set.records())
	epoch, i := n/total, int(n%total)
	if !w.begun || epoch != w.epoch {
		w.begun, w.epoch, w.records = true, epoch, nil
		w.shards = permutation("pai shard order", w.split, w.seed, epoch, len(w.set.shards))
	}
	if i < w.before || i >= w.before+len(w.records) {
		w.enter(i)
	}
	return recordIndex{w.shard, w.records[i-w.before]}
}

// enter sets the current shard to the one with record i of the epoch.
func (w *recordOrder) enter(i int) {
	w.before = 0
	for _, s := range w.shards {
		n := len(w.set.shards[s].records)
		if i < w.before+n {
			// Shards are fewer than 2^17, as their names have five digits.
			w.shard, w.records = s, permutation("pai record order", w.split, w.seed, w.epoch<<17|uint64(s), n)
			return
		}
		w.before += n
	}
}

func permutation(purpose string, split datasets.Split, seed, step uint64, n int) []int {
	return rand.New(rand.NewPCG(datasets.StreamSeed(purpose, split, seed, step))).Perm(n)
}
