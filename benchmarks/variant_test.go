package benchmarks

import (
	"testing"

	"memobench/models"
	"memobench/models/memo"
)

// Every registered variant fits its model and every preset that has it.
func TestVariantsResolve(t *testing.T) {
	if len(models.VariantNames()) == 0 {
		t.Fatal("no variants are registered")
	}
	for _, preset := range PresetNames() {
		p, err := LoadPreset(preset)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.AddVariants(models.VariantNames()...); err != nil {
			t.Fatal(err)
		}
		hashes, task := map[string]string{}, p.Tasks()[0]
		for _, c := range p.Cells() {
			if c.Seed != 0 || c.Task != task {
				continue
			}
			hashes[c.Label] = c.Hash()
			if cfg, ok := c.Config.(*memo.Config); ok {
				if err := cfg.Validate(); err != nil {
					t.Errorf("%s %s: %v", preset, c.Label, err)
				}
			}
		}
		for _, v := range models.VariantNames() {
			if _, ok := hashes[v]; !ok {
				t.Errorf("%s has no run of %s on %s", preset, v, task)
			}
		}
	}
}

func TestSelectTakesVariant(t *testing.T) {
	p, err := LoadPreset("quick")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Select("pai3", "memo-noln"); err != nil {
		t.Fatal(err)
	}
	if err := p.SetSeeds(3); err != nil {
		t.Fatal(err)
	}
	cells := p.Cells()
	if len(cells) != 1 {
		t.Fatalf("%d cells, want 1", len(cells))
	}
	c := cells[0]
	if cfg := c.Config.(*memo.Config); c.Label != "memo-noln" || cfg.LayerNorm != "none" || cfg.Width != 128 {
		t.Errorf("%s: %+v, want the preset's MEMO without LayerNorm", c.Label, cfg)
	}
}
