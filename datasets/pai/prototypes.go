package pai

import (
	"fmt"
	"io"
	"math"

	"memobench/datasets"
	"memobench/datasets/npy"
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
	all     []int32 // all classes
	pools   [3]int  // items by split
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
	p := &prototypes{all: make([]int32, s.Classes), pools: s.pools(), perCent: s.Unseen, seed: s.DataSeed}
	for c := range p.all {
		p.all[c] = int32(c)
	}
	scale := math.Sqrt(1/(float64(s.Features)*(1+float64(s.Noise*s.Noise)))) / sumDeviation
	p.noise = float32(scale * s.Noise)
	means := func(purpose string) []float32 {
		list := make([]float32, s.Classes*s.Features)
		for c := range p.all {
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

func (p *prototypes) classes(datasets.Split) ([]int32, error) { return p.all, nil }

func (p *prototypes) count(split datasets.Split, class int32) int {
	return (p.pools[split]-1-int(class))/len(p.all) + 1
}

func (p *prototypes) number(_ datasets.Split, class int32, i int) int64 {
	return int64(i)*int64(len(p.all)) + int64(class)
}

func (p *prototypes) read(dst []float32, split datasets.Split, number int64) error {
	means, purpose := p.means, "pai item"
	if number < 0 {
		means, purpose, number = p.unseen, "pai unseen item", unseenNumber(number)
	}
	mean := means[int(number%int64(len(p.all)))*len(dst):][:len(dst)]
	state, _ := datasets.StreamSeed(purpose, split, p.seed, uint64(number))
	for j := range dst {
		// The conversion prevents a fused multiply-add.
		dst[j] = mean[j] + float32(p.noise*approxNormal(state+uint64(j)))
	}
	return nil
}

// generateItems implements datasets.Entry.Generate: .npy files with all items of each split.
func generateItems(settings any, _ uint64, _, _ int) ([]datasets.GeneratedFile, error) {
	s, ok := settings.(*embeddingSettings)
	if !ok {
		return nil, fmt.Errorf("pai: settings of type %T, want %T", settings, s)
	}
	if err := s.validate(false); err != nil {
		return nil, fmt.Errorf("pai: %w", err)
	}
	files := []datasets.GeneratedFile{{Name: marker, Content: "text", Write: func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "The .npy files beside this one hold generated embeddings (memobench, data seed %d), not those of images.\n", s.DataSeed)
		return err
	}}}
	var p *prototypes // allocated when first needed
	for split, n := range s.pools() {
		name := datasets.Split(split).String()
		files = append(files, datasets.GeneratedFile{Name: name + ".npy", Content: "items", Split: datasets.Split(split), Count: n,
			Bytes: 4 * int64(n) * int64(s.Features), Write: func(w io.Writer) error {
				if p == nil {
					p = newPrototypes(*s)
				}
				return p.write(w, datasets.Split(split), n, s.Features)
			}}, datasets.GeneratedFile{Name: name + classesAfter, Content: "classes", Split: datasets.Split(split), Count: n,
			Bytes: 4 * int64(n), Write: func(w io.Writer) error {
				classes := make([]int32, n)
				for i := range classes {
					classes[i] = int32(i % s.Classes)
				}
				return npy.Write(w, classes, n)
			}})
	}
	return files, nil
}

// write writes the items of a split as an array, [n x features].
func (p *prototypes) write(w io.Writer, split datasets.Split, n, features int) error {
	table, err := npy.NewWriter[float32](w, n, features)
	item := make([]float32, features)
	for i := 0; i < n && err == nil; i++ {
		if err = p.read(item, split, int64(i)); err == nil {
			err = table.Write(item)
		}
	}
	if err != nil {
		return err
	}
	return table.Close()
}
