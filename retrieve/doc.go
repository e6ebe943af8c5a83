// Package retrieve ranks passages for a question: by BM25, by the cosine of vectors, by both, by
// the library bleve, by a foreign program or service, by truth (the oracle), or not at all (all).
//
// Open takes a configuration and the passages of a corpus and gives a Retriever with the size of
// its index. What every retriever keeps: scores do not rise along a ranking, no passage stands
// twice, equal scores go by passage id, scores are rounded to 1e-6, at most depth hits (except
// "all", which always gives everything). The helper package retrievetest checks this.
package retrieve
