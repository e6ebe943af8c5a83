// Package index cuts parsed documents into passages and builds what retrievers search: an inverted
// index scored by BM25, vectors of a dense encoder, and an index of the library bleve beside them.
//
// It takes edb.Parsed (for cutting) and edb.Passage (for building) and gives passages and indexes
// that live in memory. Every index knows its size on disk (Bytes) and is safe for concurrent
// searches. All results are functions of the input alone: scores are rounded to 1e-6 before
// ranking, and equal scores are ordered by passage id.
package index
