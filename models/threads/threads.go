// Package threads does the parts of one piece of work at the same time.
package threads

import "sync"

// Do calls part(0) to part(n-1), each in a goroutine of its own but part(0), which
// the calling one runs, and returns when all have returned.
func Do(n int, part func(i int)) {
	var others sync.WaitGroup
	for i := 1; i < n; i++ {
		others.Go(func() { part(i) })
	}
	if n > 0 {
		part(0)
	}
	others.Wait()
}
