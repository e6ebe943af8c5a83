// Package parse turns files into elements in reading order with their places: one file an engine,
// a geometric layer that any engine giving positions can use, worker processes that keep hostile
// documents away from the run, and the wrappers Oracle (the truth as a parse) and Noisy (a parse
// with known errors). It takes a [Source] and gives an [edb.Parsed].
package parse
