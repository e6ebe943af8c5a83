// Package reproduce makes tables of results from public collections and generated worlds: it takes the
// declared specification of a page of tables (package expect holds them) and the folder of the
// collections, and gives the figures of every table, each with its interval and number of units, paired
// differences with corrected p, figures by source, domain and kind of page, speed, memory and failures,
// and published figures beside what is measured here.
//
// A table is data: which collection or world, which documents or sampled pages of it, which engines or
// pipelines, which measures. Datasets, runs and the cache lie in a working folder, so that a call that
// was stopped goes on where it was. What is not here (a collection, an engine) is named in the result
// with what would bring it; nothing is left out in silence.
package reproduce
