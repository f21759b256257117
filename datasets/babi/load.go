package babi

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"memobench/datasets"
	"memobench/datasets/babi/format"
	"memobench/datasets/babi/simulate"
)

// corpus is the parsed data of the selected tasks.
type corpus struct {
	lex     *lexicon
	kinds   []kind
	digests []string // one per file, for the hash
}

// kind is a task, or a single file of no known task.
type kind struct {
	name, title string
	task        int // 0 for a file of no known task
	train, test *content
	validation  *content // nil if validation is a part of train
}

// of returns the file of a split, or nil.
func (k *kind) of(split datasets.Split) *content {
	switch {
	case split == datasets.Test:
		return k.test
	case split == datasets.Validation && k.validation != nil:
		return k.validation
	}
	return k.train
}

// contents returns the files that are not nil.
func (k *kind) contents() []*content {
	return slices.DeleteFunc([]*content{k.train, k.validation, k.test}, func(f *content) bool { return f == nil })
}

// content is a parsed file.
type content struct {
	*stories
	file   string
	digest string // SHA-256, hexadecimal
}

func read(in *input, lex *lexicon, lim limits) (*content, error) {
	data, err := in.read()
	if err != nil {
		return nil, err
	}
	parsed, err := parse(in.name, data, lex, lim)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(format.Plain(data))
	return &content{parsed, in.name, hex.EncodeToString(sum[:])}, nil
}

// load reads the files of lib and keeps those of the given tasks. If the vocabulary is not
// known, it reads the files of all tasks.
func load(lib *library, s Settings, numbers []int, trained *datasets.Trained) (*corpus, error) {
	var words []string
	var lim limits
	switch {
	case trained != nil:
		words, lim = trained.Vocabulary, limits{trained.Shape.RowWidth, trained.Shape.QueryWidth}
	case lib.generated: // known without generating all stories
		words = append([]string{""}, simulate.Vocabulary()...)
	}
	lex, err := newLexicon(words)
	if err != nil {
		return nil, err
	}
	c := &corpus{lex: lex}
	if lib.single != nil {
		err = c.loadSingle(lib, lim)
	} else {
		err = c.loadTasks(lib, s, numbers, lim)
	}
	if err != nil {
		return nil, err
	}
	final := lex.sort()
	for _, k := range c.kinds {
		for _, f := range k.contents() {
			for i := range f.questions {
				f.questions[i].answer = final[f.questions[i].answer]
			}
		}
	}
	all := sha256.Sum256([]byte(strings.Join(lex.words, "\n")))
	c.digests = append(c.digests, "vocabulary "+hex.EncodeToString(all[:]))
	return c, nil
}

func (c *corpus) loadSingle(lib *library, lim limits) error {
	f, err := read(lib.single, c.lex, lim)
	if err != nil {
		return err
	}
	name := filepath.Base(f.file)
	k := kind{name: name, title: name, task: lib.singleTask, test: f}
	if k.task > 0 {
		k.name, k.title = strconv.Itoa(k.task), tasks[k.task].title
	}
	c.kinds = []kind{k}
	c.digests = append(c.digests, "test "+f.digest)
	return nil
}

func (c *corpus) loadTasks(lib *library, s Settings, numbers []int, lim limits) error {
	for n := 1; n <= NumTasks; n++ {
		wanted := slices.Contains(numbers, n)
		if c.lex.fixed && !wanted {
			continue
		}
		k := kind{name: strconv.Itoa(n), title: tasks[n].title, task: n}
		for _, part := range []struct {
			name string
			in   *input
			to   **content
		}{
			{"train", lib.trainFile(n, s.SubstituteTask3), &k.train},
			{"validation", lib.validation[n], &k.validation},
			{"test", lib.test[n], &k.test},
		} {
			if part.in == nil {
				continue
			}
			f, err := read(part.in, c.lex, lim)
			if err != nil {
				return err
			}
			*part.to = f
			if wanted {
				c.digests = append(c.digests, fmt.Sprintf("%s %d %s", part.name, n, f.digest))
			}
		}
		if wanted {
			c.kinds = append(c.kinds, k)
		}
	}
	return nil
}

// longest returns the length of the longest memory of a split, at most limit statements (0 for
// no limit), and its question's file and line.
func (c *corpus) longest(split datasets.Split, limit int) (rows int, where string) {
	for _, k := range c.kinds {
		f := k.of(split)
		if f == nil {
			continue
		}
		for _, q := range f.questions {
			if n := memoryRows(q, limit); n > rows {
				rows, where = n, fmt.Sprintf("%s:%d", f.file, q.line)
			}
		}
	}
	return rows, where
}

// memoryRows returns the number of statements of q's memory.
func memoryRows(q question, limit int) int {
	n := int(q.end - q.start)
	if limit > 0 {
		n = min(n, limit)
	}
	return n
}
