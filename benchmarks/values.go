package benchmarks

// Values returns the settings of a configuration (of a model, a task, training)
// by their keys: what a record holds of it.
func Values(config any) map[string]any { return mapOf(config) }
