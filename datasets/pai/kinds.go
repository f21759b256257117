package pai

// kind is a query type: from the cue's position in the chain to the match's.
type kind struct{ cue, match int }

// kinds returns all query types of chains of the given length, those of
// neighbours first, then by distance and position: the order of tables 4 to 6
// of the paper. The first length-1 are direct.
func kinds(length int) []kind {
	var all []kind
	for distance := 1; distance < length; distance++ {
		for cue := 0; cue+distance < length; cue++ {
			all = append(all, kind{cue, cue + distance})
		}
	}
	return all
}

// String names the positions by letters: "A-C".
func (k kind) String() string {
	return string([]byte{'A' + byte(k.cue), '-', 'A' + byte(k.match)})
}

func names(kinds []kind) []string {
	list := make([]string, len(kinds))
	for i, k := range kinds {
		list[i] = k.String()
	}
	return list
}
