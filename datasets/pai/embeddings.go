package pai

import (
	"fmt"
	"math"

	"memobench/datasets"
)

// embeddingSettings of the task on generated embeddings. Defaults are the
// paper's where it states a value; noise is not, since its images are real.
type embeddingSettings struct {
	Settings `yaml:",inline"`

	Features        int     `yaml:"features" doc:"features of an item, 1000 in the paper"`
	Noise           float64 `yaml:"noise" range:"0.01 to 100" doc:"spread of the items within a class over the spread of the classes"`
	TrainItems      int     `yaml:"train_items" doc:"items of the train split, 1,000,000 in the paper"`
	ValidationItems int     `yaml:"validation_items" doc:"items of the validation split, 100,000 in the paper"`
	TestItems       int     `yaml:"test_items" doc:"items of the test split, 200,000 in the paper"`
	DataSeed        uint64  `yaml:"data_seed" doc:"seed of classes and items, one for all runs; examples are drawn with the run's seed"`
	Unseen          int     `yaml:"unseen,omitempty" range:"0 to 100 per cent" training:"0, so that the items stay unseen" doc:"per cent of the items of a memory, but for the two to choose from, that are of classes never trained; for memobench generalize"`
}

// The pools of the paper (section 4), by split, and its embeddings' width.
const (
	paperTrainItems, paperValidationItems, paperTestItems = 1_000_000, 100_000, 200_000

	paperFeatures = 1000
)

const (
	minFeatures, maxFeatures = 16, 1 << 16
	maxPrototypes            = 1 << 26 // classes x features, 256 MiB
	maxPool                  = 1 << 30
)

// embeddingsVersion is the version of this generator, see version.
const embeddingsVersion = "pai embeddings 1"

// embeddingDefaults returns the paper's settings for sequences of the given
// length, with as much spread within classes as between them.
func embeddingDefaults(length int) *embeddingSettings {
	return &embeddingSettings{Settings: *Defaults(length), Features: paperFeatures, Noise: 1,
		TrainItems: paperTrainItems, ValidationItems: paperValidationItems, TestItems: paperTestItems}
}

// pools returns the number of items of each split.
func (s embeddingSettings) pools() [3]int {
	return [...]int{datasets.Train: s.TrainItems, datasets.Validation: s.ValidationItems, datasets.Test: s.TestItems}
}

// validate returns a *datasets.SettingError for the first setting out of range. shifted
// allows settings for evaluation under distribution shift.
func (s embeddingSettings) validate(shifted bool) error {
	if err := datasets.CheckSettings(&s, shifted); err != nil {
		return err
	}
	fewest := s.numItems()
	switch {
	case s.Classes < fewest || s.Classes > maxClasses:
		return datasets.BadSetting("classes", s.Classes, "%d (sequences x length) to %d", fewest, maxClasses)
	case s.Features < minFeatures || s.Features > min(maxFeatures, maxPrototypes/s.Classes):
		return datasets.BadSetting("features", s.Features, "%d to %d, and classes x features to %d", minFeatures, maxFeatures, maxPrototypes)
	}
	for split, n := range s.pools() {
		if n < s.Classes || n > maxPool {
			return datasets.BadSetting(datasets.Split(split).String()+"_items", n, "%d (classes) to %d", s.Classes, maxPool)
		}
	}
	return nil
}

func (s embeddingSettings) caveats() datasets.Caveats {
	var smaller []string
	if s.Features < paperFeatures {
		smaller = append(smaller, fmt.Sprintf("%d features", s.Features))
	}
	if s.TrainItems < paperTrainItems || s.ValidationItems < paperValidationItems || s.TestItems < paperTestItems {
		smaller = append(smaller, fmt.Sprintf("%d, %d and %d items to train, validate and test", s.TrainItems, s.ValidationItems, s.TestItems))
	}
	return s.caveatsOf(datasets.Caveat{Kind: datasets.SubstituteData, Brief: "embeddings",
		Text: fmt.Sprintf("generated embeddings (noise %v) instead of image embeddings", s.Noise)}, smaller...)
}

// newEmbeddings returns the task on generated embeddings. It fails as New does.
func newEmbeddings(s embeddingSettings, opts datasets.Options) (*Source, error) {
	if err := s.validate(opts.Shifted); err != nil {
		return nil, fmt.Errorf("pai: %w", err)
	}
	return newSource(s, embeddingsSuffix, embeddingsVersion, s.Features, newPrototypes(s), opts)
}

// prototypes are generated images. Item n of a split is of class n mod C and is
//
//	x_n = (p_c + noise * e_n) / sqrt(F * (1 + noise^2))
//
// where the F features of the prototype p_c of its class and of e_n have mean 0 and variance
// 1. The mean squared length of an item is 1, as for a one-hot word. Splits share
// prototypes, as they share ImageNet's classes. e_n has its own random stream for each split
// and n, so items are not stored and splits share none. Negative numbers are items of other
// classes, which are never trained.
type prototypes struct {
	classes int
	pools   [3]int // items by split
	means   []float32
	unseen  []float32 // prototypes of the classes that are never trained; nil for none
	perCent int       // of items that are replaced by items of these classes
	seed    uint64
	noise   float32 // factor of a sum of uniforms
}

// unseenNumber maps an item's number to that of an item of a class that is never trained, and
// back.
func unseenNumber(number int64) int64 { return ^number }

func newPrototypes(s embeddingSettings) *prototypes {
	p := &prototypes{classes: s.Classes, pools: s.pools(), perCent: s.Unseen, seed: s.DataSeed}
	scale := math.Sqrt(1/(float64(s.Features)*(1+float64(s.Noise*s.Noise)))) / sumDeviation
	p.noise = float32(scale * s.Noise)
	means := func(purpose string) []float32 {
		list := make([]float32, s.Classes*s.Features)
		for c := range s.Classes {
			state, _ := datasets.StreamSeed(purpose, datasets.Train, s.DataSeed, uint64(c))
			for j := range s.Features {
				list[c*s.Features+j] = float32(scale) * approxNormal(state+uint64(j))
			}
		}
		return list
	}
	p.means = means("pai prototype")
	if s.Unseen > 0 {
		p.unseen = means("pai unseen prototype")
	}
	return p
}

// sumDeviation is the standard deviation of approxNormal.
var sumDeviation = math.Sqrt(4 * (1<<32 - 1) / 12.)

// approxNormal returns the sum of the four 16-bit parts of a hash minus its mean, an approximate
// normal deviate (excess kurtosis -0.3). Unlike deviates that need logarithms, it has the same
// bits on every machine.
func approxNormal(x uint64) float32 {
	x = datasets.Mix(x)
	sum := x&0xffff + x>>16&0xffff + x>>32&0xffff + x>>48
	return float32(int32(sum) - 2*0xffff)
}

// count returns how many items of a class a split has.
func (p *prototypes) count(split datasets.Split, class int32) int {
	return (p.pools[split]-1-int(class))/p.classes + 1
}

// number returns the number of item i of a class within its split.
func (p *prototypes) number(class int32, i int) int64 {
	return int64(i)*int64(p.classes) + int64(class)
}

// read fills dst with the features of an item.
func (p *prototypes) read(dst []float32, split datasets.Split, number int64) {
	means, purpose := p.means, "pai item"
	if number < 0 {
		means, purpose, number = p.unseen, "pai unseen item", unseenNumber(number)
	}
	mean := means[int(number%int64(p.classes))*len(dst):][:len(dst)]
	state, _ := datasets.StreamSeed(purpose, split, p.seed, uint64(number))
	for j := range dst {
		// The conversion prevents a fused multiply-add.
		dst[j] = mean[j] + float32(p.noise*approxNormal(state+uint64(j)))
	}
}
