package simulate

// Names of people, places and things; where a task prefers one to another, the
// order here is that of preference.
var (
	people     = []string{"John", "Mary", "Sandra", "Daniel"}
	neighbours = []string{"Mary", "Fred", "Bill", "Jeff"}
	townsfolk  = []string{"Bill", "Fred", "Julie", "Mary"}

	rooms = []string{"bathroom", "bedroom", "garden", "hallway", "kitchen", "office"}
	town  = []string{"bedroom", "cinema", "kitchen", "office", "park", "school"}

	things = []string{"apple", "football", "milk"}
)

// Ways to say what someone does.
var (
	moving   = []string{" went", " went back", " moved", " journeyed", " travelled"}
	getting  = []string{" got the ", " took the ", " picked up the ", " grabbed the "}
	dropping = []string{" dropped the ", " left the ", " discarded the ", " put down the "}
	giving   = []string{" gave the ", " handed the ", " passed the "}

	following = []string{"Then ", "After that ", "Following that ", "Afterwards "}
)

// pronouns of people.
var pronouns = map[string]string{"John": "he", "Mary": "she", "Sandra": "she", "Daniel": "he"}
