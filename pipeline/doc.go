// Package pipeline runs document pipelines over a dataset and leaves records: it is the only package
// that knows all stages. It takes a configuration ([Config]) and gives a run folder: what was
// parsed, cut, retrieved, answered, claimed and measured, one file a step, each sorted by unit, with
// the resolved configuration beside them and a summary of figures on top.
//
// Every unit of work asks the cache first; its key is the SHA-256 of the stage, the implementation
// and its version, the settings and the keys of all inputs. A run that was killed goes on where it
// was, and another prompt parses nothing.
package pipeline
