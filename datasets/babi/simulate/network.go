package simulate

// network is a tree of things of which some stand beside each other.
type network struct {
	*teller
	names []string
	links [][]link // of each node
	lines []int    // that tell of each link, 0 before it is told
}

// link leads to a neighbour.
type link struct{ to, direction, number int }

func newNetwork(t *teller, names []string) *network {
	return &network{teller: t, names: names, links: make([][]link, len(names))}
}

// opposite returns the direction back; directions go round: 0 and 2 are
// opposites, and 1 and 3.
func opposite(direction int) int { return (direction + 2) % 4 }

// connect places a node in a direction from another one.
func (n *network) connect(from, direction, to int) {
	number := len(n.lines)
	n.links[from] = append(n.links[from], link{to, direction, number})
	n.links[to] = append(n.links[to], link{from, opposite(direction), number})
	n.lines = append(n.lines, 0)
}

// lineOf returns the line that tells of the link between two neighbours.
func (n *network) lineOf(a, b int) int {
	for _, l := range n.links[a] {
		if l.to == b {
			return n.lines[l.number]
		}
	}
	panic("simulate: not neighbours")
}

// tell tells of all links, each once: of a random one of a random node, until
// there is none left. So a node with few neighbours is mostly the one that is
// drawn, and its links come early.
func (n *network) tell(say func(drawn int, l link) int) {
	for untold := len(n.lines); untold > 0; {
		node := n.rng.IntN(len(n.names))
		l := n.links[node][n.rng.IntN(len(n.links[node]))]
		if n.lines[l.number] == 0 {
			n.lines[l.number] = say(node, l)
			untold--
		}
	}
}

// pickNames draws count of names, in random order.
func (t *teller) pickNames(names []string, count int) []string {
	picked := make([]string, count)
	for i, k := range t.mix(len(names))[:count] {
		picked[i] = names[k]
	}
	return picked
}
