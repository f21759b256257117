package gemm

// workspace holds the packed operands of one thread.
type workspace struct {
	a    [blockRows * blockDepth]float32
	b    [blockDepth * blockCols]float32
	few  [8 * blockDepth]float32      // fewer than eight lines to transpose
	edge [mostRows * mostCols]float32 // a tile at C's border
}

// packRows packs a block of A [rows x depth] from element (i, d) on into panels of a tile's
// rows. In a panel the elements of a column are contiguous. The last panel may have fewer rows;
// its other elements are unspecified, and only the narrow form reads them. Rows in place are not packed.
func (p *product) packRows(w *workspace, i, d, rows, depth int) {
	if p.rowsInPlace() {
		return
	}
	dst, n, whole := w.a[:], p.form.rows, 0
	if p.a.row == 1 {
		// Columns are contiguous: each is read once for several panels.
		whole = rows / n * n
		copyRows(dst, p.a.at(i, d), whole, n, depth)
	}
	for x := whole; x < rows; x += n {
		part := p.a.at(i+x, d)
		w.pack(dst[x*depth:][:n*depth], part.data, min(n, rows-x), n, depth, part.row, part.col)
	}
}

// copyRows copies whole panels of n rows of a block whose columns are contiguous.
func copyRows(dst []float32, m matrix, rows, n, depth int) {
	if n == wideRows {
		for x := 0; x < rows; x += 4 * n {
			panels := min(4, (rows-x)/n)
			part := m.at(x, 0)
			_ = part.data[(depth-1)*part.col+panels*n-1]
			copyLines(depth, panels, &part.data[0], part.col, &dst[x*depth], n, n*depth)
		}
		return
	}
	for d := range depth {
		column := m.data[d*m.col:][:rows]
		for at := d * narrowRows; len(column) > 0; at += narrowRows * depth {
			*(*[narrowRows]float32)(dst[at:]) = [narrowRows]float32(column)
			column = column[narrowRows:]
		}
	}
}

// packColumns packs a panel of B of the given depth from element (d, j) on. The elements of a
// row are contiguous, at a distance of a tile's width.
func (p *product) packColumns(w *workspace, dst []float32, d, j, depth int) {
	part, width := p.b.at(d, j), p.form.narrowed(p.n-j).cols
	w.pack(dst[:width*depth], part.data, min(width, p.n-j), width, depth, part.col, part.row)
}

// pack transposes n lines of depth elements: element d of line i goes to panel[d*width+i].
// across is the stride between lines, along that between the elements of a line. Elements of
// the panel beyond the lines are unspecified.
func (w *workspace) pack(panel, src []float32, n, width, depth, across, along int) {
	switch {
	case across == 1 && n == width:
		_ = src[(depth-1)*along+width-1]
		copyLines(depth, width/8, &src[0], along, &panel[0], width, 8)
		return
	case across == 1:
		for d := range depth {
			copy(panel[d*width:][:n], src[d*along:])
		}
		return
	}
	// Contiguous lines, in blocks of eight by eight elements. The last block begins early enough
	// to be whole. For six lines a block writes two more values per column than are wanted, which
	// the next column or panel overwrites. Fewer than eight lines are first copied to
	// w.few, which has room for eight.
	lines := n
	if n == narrowRows && width == n && len(src) >= 7*across+depth && cap(panel) >= len(panel)+8-n {
		lines = 8
	}
	if lines < 8 && width >= 8 && depth >= 8 {
		for i := range n {
			copy(w.few[i*depth:][:depth], src[i*across:])
		}
		src, across, lines = w.few[:], depth, 8
	}
	if lines < 8 || depth < 8 {
		for i := range n {
			at := i
			for _, v := range src[i*across:][:depth] {
				panel[at] = v
				at += width
			}
		}
		return
	}
	for i := 0; i < lines; i += 8 {
		i := min(i, lines-8)
		_ = src[(i+7)*across+depth-1]
		transpose(depth/8, &src[i*across], across, &panel[i], width)
		if depth%8 > 0 {
			transpose(1, &src[i*across+depth-8], across, &panel[(depth-8)*width+i], width)
		}
	}
}
