// Package universe makes worlds whose truth comes first (RIKER section 3): people, companies,
// buildings and dealings are drawn from a seed, documents are printed from them, and questions are
// asked of them. Nothing is written by a model.
//
// It takes a seed and a number of documents and gives an ordinary dataset directory: PDF files,
// their exact gold (elements in reading order with text, boxes, lines, table markup and captions),
// and questions with typed answers and gold evidence.
//
// # One world, any shard
//
// Every entity, fact and document is a pure function of (seed, id). Names come from a keyed
// permutation of a name space, so two entities never share a name and the document with id 100,000
// can be made without the ones before it, byte for byte as in the whole. A reserved part of each
// name space is never given to an entity: the entities that unanswerable questions ask about come
// from there, and their absence from the printed text is checked all the same.
//
// # Coherence
//
// People and companies are shared by all document types. Ids follow each other in threes: a lease
// agreement, a field report and a quarterly statement about the same tenant company. The agent in
// the lease visits the tenant in the report, the agent's manager is one person in every report, the
// director who signs the lease signs the statement and receives the agent, and the occupancy cost
// in the statement is the rent that the lease's schedule fixes for those months.
//
// # Two ways to every answer
//
// A question's answer is computed from the truth and, again, by searching the printed facts of all
// documents by name. Where the two disagree, or the printed one is not unique, generation stops
// with an error.
//
// # The truth beside the documents
//
// truth.sqlite (TruthFile) holds the truth as tables: entities, relations, facts with every place
// where they are printed, deliberate absences, and questions with evidence and a query that gives
// the answer. Query asks it. Check proves a whole dataset directory, its files included. Scan makes
// scans of any PDF, and of a dataset its scanned twin.
package universe
