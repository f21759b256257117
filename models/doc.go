// Package models defines Model, the whole of what the harness knows of a
// network, and the registry of models.
//
// What comes in: a task's Shape, a model's Config and a Training schedule.
// What goes out: a Model that can train on a batch, predict, and hand over its
// State. Of several answers to a query each is given after the one before it. A
// model may put that answer into the next query, its own or, where
// Chained.PredictGiven or a setting for training says so, the right one. What always
// holds: a model never sees the protocol, and the harness never looks inside a
// model; a fifth model is one folder and one Register call. What our models
// share around their equations is in package layers.
package models
