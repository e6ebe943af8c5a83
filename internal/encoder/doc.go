// Package encoder runs the transformer encoders that measures and indexes use, in Go alone: it takes
// texts and gives the vectors of their tokens after a layer, or one vector a text. [Models] lists
// the models. Their weights are no part of the program: they stand in a folder ([Dir]) and are held
// against their SHA-256 when they are opened.
package encoder
