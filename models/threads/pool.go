package threads

import "sync"

// Pool keeps what is not in use. Other than a sync.Pool it is not emptied by the
// garbage collector, so that in the steady state nothing is allocated.
type Pool[T any] struct {
	mutex sync.Mutex
	free  []*T
}

// Take returns one that was given back, or a new one, zero.
func (p *Pool[T]) Take() *T {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if n := len(p.free); n > 0 {
		t := p.free[n-1]
		p.free = p.free[:n-1]
		return t
	}
	return new(T)
}

// Give takes one back.
func (p *Pool[T]) Give(t *T) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.free = append(p.free, t)
}
