// Package metrics holds the measures: pure functions of prediction and gold, one file a measure.
// They take the nouns of package edb (Parsed, Question, Answer, ranked ids) and give one
// edb.Measurement a unit: a value, or the reason why there is none. Nothing here averages, except
// where a measure of one unit is itself a mean (TEDS over the tables of a document); the rows are
// kept and the averages taken last.
//
// [All] lists every measure with its version, its worst value and its parameters; [ParseName]
// reads their names.
package metrics
