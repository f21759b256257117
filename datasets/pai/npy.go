package pai

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"memobench/datasets"
)

// NpySettings of the task on embeddings from .npy files.
type NpySettings struct {
	Length    int    `yaml:"length" doc:"items of a sequence; fixed by the task"`
	Sequences int    `yaml:"sequences" doc:"sequences in a memory, 16 in the paper; the classes of a memory are distinct: sequences x length must not be more than there are"`
	Items     string `yaml:"items" doc:"order of the two items in a row: sequence (earlier first) or random"`
	Rows      string `yaml:"rows" doc:"order of the rows in a memory: shuffled or generation (chain after chain)"`
	Scale     string `yaml:"scale" doc:"unit: every embedding is scaled to length 1, as a one-hot word has; raw: as in the file"`
}

// Values of the setting scale.
const (
	scaleUnit = "unit"
	scaleRaw  = "raw"
)

// marker is the file that marks the embeddings in its directory as generated, for a caveat.
const marker = "GENERATED.txt"

// npyVersion is the version of this reader, see version.
const npyVersion = "pai npy 1"

// NpyDefaults returns the paper's settings for sequences of the given length.
func NpyDefaults(length int) *NpySettings {
	return &NpySettings{Length: length, Sequences: paperSequences, Items: itemsSequence, Rows: rowsShuffled, Scale: scaleUnit}
}

func (s NpySettings) layout() layout { return layout{s.Length, s.Sequences, s.Items, s.Rows} }

// validate returns a *datasets.SettingError for the first setting out of range.
func (s NpySettings) validate() error {
	if err := s.layout().validate(); err != nil {
		return err
	}
	return checkScale(s.Scale)
}

func checkScale(scale string) error {
	if scale != scaleUnit && scale != scaleRaw {
		return &datasets.SettingError{Key: "scale", Value: scale, Want: scaleUnit + " or " + scaleRaw}
	}
	return nil
}

// OpenNpy reads the files (see doc.go) and returns the task. Missing files or too few classes
// are an error if opts.Splits needs the split, else when the split is used. With
// opts.Trained, embeddings of another width and unknown class ids are errors.
func OpenNpy(s NpySettings, opts datasets.Options) (*Source, error) {
	if err := s.validate(); err != nil {
		return nil, fmt.Errorf("pai: %w", err)
	}
	dir, err := dataPath(opts, envEmbeddings, howToNpy)
	if err != nil {
		return nil, fmt.Errorf("pai: %w", err)
	}
	im, err := openNpyImages(dir, s.Scale, s.layout())
	if err != nil {
		return nil, fmt.Errorf("pai: %w", err)
	}
	for _, split := range splits {
		if _, err := im.classes(split); err != nil && opts.Needs(split) {
			im.close()
			return nil, fmt.Errorf("pai: %w", err)
		}
	}
	if t := opts.Trained; t != nil && im.numClasses < t.Shape.Vocabulary {
		im.numClasses = t.Shape.Vocabulary
	}
	settings := s.layout().strings()
	settings["scale"] = s.Scale
	settings["classes"] = fmt.Sprint(im.numClasses)
	settings["features"] = fmt.Sprint(im.dim)
	substitute := func(text, brief string) datasets.Caveat {
		return datasets.Caveat{Kind: datasets.SubstituteData, Text: text, Brief: brief}
	}
	caveats := datasets.Caveats{substitute("own embeddings ("+strings.Join(im.describe(), "; ")+")", "npy")}
	if exists(filepath.Join(dir, marker)) {
		caveats = append(caveats, substitute("generated embeddings instead of image embeddings", ""))
	}
	if im.duplicates > 0 {
		caveats = append(caveats, substitute(fmt.Sprintf("own embeddings: %d copies of other items left out", im.duplicates), ""))
	}
	if s.Sequences < paperSequences {
		caveats = append(caveats, reduced("%d sequences", s.Sequences))
	}
	spec := datasets.Spec{
		Task:     fmt.Sprintf("pai%d%s", s.Length, npySuffix),
		Settings: settings,
		Hash:     datasets.Fingerprint(npyVersion, settings, im.digest),
		Caveats:  append(caveats, unknownLength(s.Length)...),
	}
	src, err := newSource(s.layout(), s.layout().shape(im.numClasses, im.dim), im, spec, opts)
	if err != nil {
		im.close()
		return nil, err
	}
	return src, nil
}

// The environment variables that name the data when the user gives no path.
const (
	envEmbeddings = "MEMOBENCH_EMBEDDINGS" // of pai3-npy to pai5-npy
	envReleased   = "MEMOBENCH_PAI"        // of pai3-released and pai4-released
)

const howToNpy = `give with --data DIR or in $` + envEmbeddings + ` a directory of .npy files: train.npy [items x features] and
train_classes.npy [items], the same for validation and test, or embeddings.npy and classes.npy, which are divided`

const howToReleased = `give with --data DIR or in $` + envReleased + ` the released files of MEMO (deepmind-research/memo says where they are):
a directory with the folders train, valid and test, or one above it with length3 and length4`

// dataPath returns the directory that the user named.
func dataPath(opts datasets.Options, env, howTo string) (string, error) {
	path, from := opts.DataPath, "the data path given"
	if path == "" {
		path, from = os.Getenv(env), "$"+env
	}
	if path == "" {
		return "", fmt.Errorf("no data given: %s", howTo)
	}
	if info, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%s: %w; %s", from, err, howTo)
	} else if !info.IsDir() {
		return "", fmt.Errorf("%s: %s is not a directory; %s", from, path, howTo)
	}
	return path, nil
}
