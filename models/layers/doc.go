// Package layers holds what models share: how a batch reaches the graph
// (Input), how a model learns (Learner: parameters, optimizer, schedule,
// checkpoint state), and the shell around a model's equations (Shell, Network).
//
// A model is a package with a Config and its Validate, the parameters
// (engine.Spec), a network type that embeds Network and adds the equations in
// Build, a Model type that embeds a Shell over it, and a call of Register.
//
// In Build a network embeds words by Table, which serves one-hot words and dense
// items alike, builds once what its answers share, and calls Decode for what they
// do not: parameters declared by EachAnswer, the query, the labels, the noise.
// A model that does so takes tasks of any number of answers.
//
// What only some models do, such as an optimizer for a part of the weights
// (Design.Separate) or showing attention (models.Attender), a model adds to
// its own Model.
package layers
