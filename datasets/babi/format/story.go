package format

import (
	"slices"
	"strings"
)

// Story is a story with its questions.
type Story []Line

// Read returns the stories of a file.
func Read(file string, data []byte) ([]Story, error) {
	var stories []Story
	err := Scan(file, data, func(l *Line) error {
		if l.Number == 1 {
			stories = append(stories, nil)
		}
		kept := *l
		kept.Support = slices.Clone(l.Support)
		last := &stories[len(stories)-1]
		*last = append(*last, kept)
		return nil
	})
	return stories, err
}

// Words cuts a sentence as MEMO does (Banino et al., ICLR 2020, appendix C.1):
// lower-case, without '.' and '?', on blanks.
func Words(sentence string) []string {
	sentence = strings.ToLower(sentence)
	if strings.ContainsAny(sentence, ".?") {
		sentence = strings.Map(func(r rune) rune {
			if r == '.' || r == '?' {
				return -1
			}
			return r
		}, sentence)
	}
	return strings.Fields(sentence)
}
