package pai

import (
	"math"

	"memobench/datasets"
)

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
