package record

// laterSettings lists, by model, the settings that were added after runs had been
// recorded, each with the value that runs before it had. Of feedback it is the
// default: those runs ask for one answer, after which no query comes.
//
// Settings with a tag legacy (package benchmarks) are not here: a record leaves them out
// where they have the value from before they existed.
var laterSettings = map[string]map[string]any{
	"dnc":  {"feedback": "predicted", "start": "neutral"},
	"emn":  {"feedback": "truth"},
	"memo": {"feedback": "predicted"},
	"ut":   {"feedback": "predicted", "start": "neutral"},
}

// complete adds the settings that the record does not name because they came
// later, so that no reader takes a missing setting for an equal one.
func (m *Model) complete(model string) {
	if len(m.Config) == 0 { // predictions of another program
		return
	}
	for key, value := range laterSettings[model] {
		if _, named := m.Config[key]; !named {
			m.Config[key] = value
		}
	}
}
