package datasets

// Vocabularied is implemented by sources whose ids stand for words.
type Vocabularied interface {
	// Vocabulary returns the word of each id, O of them. An id that never
	// occurs in a batch, such as padding, has the empty string.
	Vocabulary() []string
}

// KindTitled is implemented by sources whose kinds have names longer than the
// column heads that Source.Kinds gives.
type KindTitled interface {
	// KindTitles returns the full name of each kind, for example "Single
	// Supporting Fact" for "1".
	KindTitles() []string
}
