package pai

import (
	"math"

	"memobench/datasets"
)

// prototypes are generated images. Item n of a split is of class n mod C and is
//
//	x_n = (p_c + noise * e_n) / sqrt(F * (1 + noise^2))
//
// where the F features of the prototype p_c of its class and of e_n have mean 0
// and variance 1. So the squared length of an item is 1 on average, as that of
// a one-hot word is. Prototypes are the same for all splits, as ImageNet's
// classes are; e_n is drawn from a stream of the split and n, so that no item is
// stored and splits share none.
type prototypes struct {
	all   []int32 // classes
	pools [3]int  // items by split
	means []float32
	seed  uint64
	noise float32 // factor of a sum of uniforms
}

func newPrototypes(s embeddingSettings) *prototypes {
	p := &prototypes{all: make([]int32, s.Classes), pools: s.pools(), means: make([]float32, s.Classes*s.Features), seed: s.DataSeed}
	for c := range p.all {
		p.all[c] = int32(c)
	}
	scale := math.Sqrt(1/(float64(s.Features)*(1+float64(s.Noise*s.Noise)))) / sumDeviation
	p.noise = float32(scale * s.Noise)
	for c := range p.all {
		state, _ := datasets.StreamSeed("pai prototype", datasets.Train, s.DataSeed, uint64(c))
		for j := range s.Features {
			p.means[c*s.Features+j] = float32(scale) * nearNormal(state+uint64(j))
		}
	}
	return p
}

// sumDeviation is the standard deviation of nearNormal.
var sumDeviation = math.Sqrt(4 * (1<<32 - 1) / 12.)

// nearNormal returns the sum of the four 16-bit parts of a mixed number, less
// its mean: 4 discrete uniforms, near enough to a normal deviate (its excess
// kurtosis is -0.3) and the same to the bit on every machine, which a normal
// deviate with its logarithms is not.
func nearNormal(x uint64) float32 {
	x = datasets.Mix(x)
	sum := x&0xffff + x>>16&0xffff + x>>32&0xffff + x>>48
	return float32(int32(sum) - 2*0xffff)
}

func (p *prototypes) classes(datasets.Split) ([]int32, error) { return p.all, nil }

func (p *prototypes) count(split datasets.Split, class int32) int {
	return (p.pools[split]-1-int(class))/len(p.all) + 1
}

func (p *prototypes) number(_ datasets.Split, class int32, i int) int64 {
	return int64(i)*int64(len(p.all)) + int64(class)
}

func (p *prototypes) read(dst []float32, split datasets.Split, number int64) error {
	mean := p.means[int(number%int64(len(p.all)))*len(dst):][:len(dst)]
	state, _ := datasets.StreamSeed("pai item", split, p.seed, uint64(number))
	for j := range dst {
		// Converted, so that no machine fuses multiplication and addition.
		dst[j] = mean[j] + float32(p.noise*nearNormal(state+uint64(j)))
	}
	return nil
}

// pool is the items of one split; it implements datasets.Pool.
type pool struct {
	items *prototypes
	split datasets.Split
}

// Pool implements datasets.Pooled: nil where items are class symbols or are in
// files.
func (src *Source) Pool(split datasets.Split) datasets.Pool {
	items, ok := src.images.(*prototypes)
	if !ok || split < datasets.Train || split > datasets.Test {
		return nil
	}
	return pool{items, split}
}

func (p pool) Len() int                        { return p.items.pools[p.split] }
func (p pool) Class(n int) int32               { return int32(n % len(p.items.all)) }
func (p pool) Read(dst []float32, n int) error { return p.items.read(dst, p.split, int64(n)) }

// NumberedBatch implements datasets.Pooled; nil for class symbols.
func (src *Source) NumberedBatch(dst *datasets.Batch, split datasets.Split, seed uint64, step, size int) ([]int, error) {
	d := src.drawers.Get().(*drawer)
	defer src.drawers.Put(d)
	if err := src.batch(d, dst, split, seed, step, size); err != nil || dst.Items == nil {
		return nil, err
	}
	numbers := make([]int, dst.Items.Len())
	for number, id := range d.known {
		numbers[id] = int(number)
	}
	return numbers, nil
}
