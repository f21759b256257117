// Package layers holds what two models share: how a batch reaches the graph
// (Input), how a model learns (Learner: parameters, optimizer, schedule,
// checkpoint state), and the answer head (MLP).
package layers
