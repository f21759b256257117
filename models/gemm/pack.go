package gemm

// workspace holds the packed operands of one thread.
type workspace struct {
	a    [blockRows * blockDepth]float32
	b    [blockDepth * blockCols]float32
	edge [tileRows * tileColumns]float32 // a tile that reaches over C's border
}

// packRows copies a block [rows x depth] in panels of tileRows rows: of each
// panel the elements of one column stand together. What is missing of the last
// panel is 0.
func packRows(dst []float32, m matrix, rows, depth int) {
	whole := rows / tileRows * tileRows
	if m.col == 1 {
		for i := 0; i < whole; i += tileRows {
			panel, part := dst[i*depth:(i+tileRows)*depth], m.at(i, 0)
			r0, r1, r2 := part.data[:depth], part.data[part.row:][:depth], part.data[2*part.row:][:depth]
			r3, r4, r5 := part.data[3*part.row:][:depth], part.data[4*part.row:][:depth], part.data[5*part.row:][:depth]
			for d, v := range r0 {
				line := panel[d*tileRows : d*tileRows+tileRows : d*tileRows+tileRows]
				line[0], line[1], line[2], line[3], line[4], line[5] = v, r1[d], r2[d], r3[d], r4[d], r5[d]
			}
		}
	} else {
		// Columns of the block are contiguous: each is read once, for all panels.
		for d := range depth {
			column := m.data[d*m.col:][:whole]
			for at := d * tileRows; len(column) > 0; at += tileRows * depth {
				*(*[tileRows]float32)(dst[at:]) = [tileRows]float32(column)
				column = column[tileRows:]
			}
		}
	}
	if whole < rows {
		packEdge(dst[whole*depth:(whole+tileRows)*depth], m.at(whole, 0), rows-whole, tileRows, depth, m.row, m.col)
	}
}

// packColumns copies a block [depth x cols] in panels of tileColumns columns: of
// each panel the elements of one row stand together. What is missing of the
// last panel is 0.
func packColumns(dst []float32, m matrix, depth, cols int) {
	// So many panels are written at once: their lines have the same place in a
	// cache of few ways.
	const together = 8 * tileColumns
	whole := cols / tileColumns * tileColumns
	for j := 0; j < whole && m.col == 1; j += together {
		n := min(together, whole-j)
		for d := range depth {
			row := m.data[d*m.row+j:][:n]
			for at := j*depth + d*tileColumns; len(row) > 0; at += tileColumns * depth {
				*(*[tileColumns]float32)(dst[at:]) = [tileColumns]float32(row)
				row = row[tileColumns:]
			}
		}
	}
	for j := 0; j < whole && m.col != 1; j += 4 {
		// Four columns at a time, which are contiguous in memory.
		panel, part := dst[j/tileColumns*tileColumns*depth+j%tileColumns:], m.at(0, j)
		c0, c1 := part.data[:depth], part.data[part.col:][:depth]
		c2, c3 := part.data[2*part.col:][:depth], part.data[3*part.col:][:depth]
		for d, v := range c0 {
			line := panel[d*tileColumns : d*tileColumns+4 : d*tileColumns+4]
			line[0], line[1], line[2], line[3] = v, c1[d], c2[d], c3[d]
		}
	}
	if whole < cols {
		packEdge(dst[whole*depth:(whole+tileColumns)*depth], m.at(0, whole), cols-whole, tileColumns, depth, m.col, m.row)
	}
}

// packEdge copies a panel of which only n lines of width exist: across is the
// distance between lines, along that between elements of a line.
func packEdge(panel []float32, m matrix, n, width, depth, across, along int) {
	clear(panel)
	for i := range n {
		for d := range depth {
			panel[d*width+i] = m.data[i*across+d*along]
		}
	}
}
