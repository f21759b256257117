package engine

import "math"

// Schedule is a learning rate over the steps of a run: a linear rise, a
// constant part, and a polynomial decay to End.
//
//	rate(t) = End + (Peak - End) (1 - u)^Power,  u = share of the decay done
//
// The paper decays polynomially and gives neither power, horizon nor end value;
// power 1 to 0 over all steps is our reading.
type Schedule struct {
	Peak   float64
	End    float64
	Power  float64 // 0 keeps the rate at Peak
	Warmup int     // steps of the linear rise
	Hold   float64 // share of Steps before the decay starts
	Steps  int     // horizon
}

// Rate returns the learning rate of the update that follows the given number of
// completed updates.
func (s Schedule) Rate(done int64) float64 {
	rate := s.Peak
	if s.Power > 0 && s.Steps > 0 {
		start := s.Hold * float64(s.Steps)
		u := (float64(done) - start) / (float64(s.Steps) - start)
		u = min(max(u, 0), 1)
		rate = s.End + (s.Peak-s.End)*math.Pow(1-u, s.Power)
	}
	if done < int64(s.Warmup) {
		rate *= float64(done+1) / float64(s.Warmup)
	}
	return rate
}
