// Package riker makes RIKER's universes (RIKER sections 3 and 4): one property firm with its agents,
// managers, territories, customers, buildings, products, deals and contracts; documents of six types
// that are printed from them; and questions of the levels L01 to L12 with their answers.
//
// It takes a Plan (a preset or a number of documents, and a seed) and gives an ordinary dataset
// directory with truth.sqlite beside it.
//
// # Every record from (plan, number)
//
// A World holds no tables. Lease 17, the agent of deal 900 and the review of an agent for a half
// year are computed when they are asked for, from the plan, the seed and their number, in constant
// time and memory, so a document can be made without the ones before it, byte for byte as in the
// whole. Relations that have to be followed both ways (the deals of an agent, the leases of a
// company) are dealt out inside of blocks, by keyed permutations that can be walked backwards.
//
// # Coherence
//
// People, companies, buildings and products are shared by all document types. The agent in a lease
// is the agent in the field reports about it; the manager in a review is the manager of the
// territory in the reports; the deals that a review counts are the deals that the reports tell of;
// an invoice bills the lines of a deal that was won, and the occupancy cost in a quarterly statement
// is the rent of the company's leases in those months.
//
// # Documents
//
// A document is written from the template of its type and style (templates/, the notation is
// explained in story_template.go). The seed draws the order of sections, the wording of each sentence
// and which of the irrelevant sentences, the filler, are printed. World.Document prints it and proves
// that every fact stands where the mention says and that nothing else is stated.
package riker
