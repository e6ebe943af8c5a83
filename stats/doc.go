// Package stats turns numbers into figures with intervals. It takes values, and for each value the
// documents it rests on, and gives a mean or a composite with a percentile bootstrap interval that
// respects that questions about one document are not independent; for shares of independent units
// it gives Wilson's interval. It knows nothing of pipelines and imports no other package of this
// module.
//
// Undefined is nil with a reason, never NaN or 0. A result depends on values, documents and seed
// alone: not on the number of cores, nor on the order in which replicates finish.
package stats
