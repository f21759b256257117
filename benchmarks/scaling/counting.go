package scaling

import "fmt"

// count returns a system's series with what is counted. Weights that would be
// over the limit are not allocated: they are a + b I^2 at most, so that two sizes
// tell how many a third has.
func (m *measurement) count(s *System) ([]*Series, error) {
	list := make([]*Series, len(m.o.Modes))
	for i, mode := range m.o.Modes {
		list[i] = &Series{System: s.Name, Title: s.Title, Mode: mode}
	}
	var known []*Point // sizes that were built
	for _, rows := range m.o.Sizes {
		if err := m.ctx.Err(); err != nil {
			return nil, err
		}
		m.tell(fmt.Sprintf("counting %s, I = %d", s.Name, rows))
		if bytes := extrapolate(known, rows); m.o.MaxBytes > 0 && bytes > m.o.MaxBytes {
			for _, series := range list {
				series.Points = append(series.Points, &Point{Rows: rows, Limit: m.overMemory(bytes, "not counted: weights would take about")})
			}
			continue
		}
		model, batch, err := s.Build(rows, m.o.Examples)
		if err != nil {
			return nil, err
		}
		for i, mode := range m.o.Modes {
			c, err := mode.Cost(model, batch)
			if err != nil {
				return nil, fmt.Errorf("%s, %s, %d rows: %w", s.Name, mode, rows, err)
			}
			p := &Point{Rows: rows}
			p.count(c)
			if held := c.Bytes() + c.Weights; m.o.MaxBytes > 0 && held > m.o.MaxBytes {
				p.Limit = m.overMemory(held, "would hold")
			}
			list[i].Points = append(list[i].Points, p)
		}
		known = append(known, list[0].Points[len(list[0].Points)-1])
	}
	return list, nil
}

// extrapolate returns the bytes of the weights at a further size, 0 where fewer
// than two are known.
func extrapolate(known []*Point, rows int) int {
	if len(known) < 2 {
		return 0
	}
	a, b := known[len(known)-2], known[len(known)-1]
	square := func(n int) float64 { return float64(n) * float64(n) }
	slope := float64(b.WeightBytes-a.WeightBytes) / (square(b.Rows) - square(a.Rows))
	return b.WeightBytes + int(slope*(square(rows)-square(b.Rows)))
}

func (m *measurement) overMemory(bytes int, what string) string {
	return fmt.Sprintf("%s %s, over the limit of %s (max-memory)", what, binary(bytes), binary(m.o.MaxBytes))
}

// binary prints bytes in the largest binary unit that leaves one digit or more
// before the point.
func binary(bytes int) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	x, i := float64(bytes), 0
	for ; x >= 1024 && i < len(units)-1; i++ {
		x /= 1024
	}
	if i == 0 || x >= 100 {
		return fmt.Sprintf("%.0f %s", x, units[i])
	}
	return fmt.Sprintf("%.1f %s", x, units[i])
}
