// Package datasets reads, writes and checks the dataset directory: documents with their licence and
// gold, questions with their evidence, the judgements derived from it, and labelled answers. It also
// turns public collections into such directories ([Importers]).
//
// [Open] takes a directory and gives its documents and questions, refusing the first thing that is
// wrong; [Check] takes the same directory and lists everything that is wrong, each fault with file,
// line and remedy. [Create] gives a [Writer] that leaves a whole directory or none, with the same
// bytes for the same input.
//
// [Dataset.Split] divides documents so that near-duplicates stay together and nobody moves when the
// corpus grows; [Describe] counts what datasets hold, [RateLicences] and [CheckRelease] say what may be
// done with it, and [Compare] what differs between two versions. Every field is described in docs/formats.md.
package datasets
