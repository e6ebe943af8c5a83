// Package study answers questions about finished runs from their records alone: does one pipeline
// differ from another ([Compare]), and does a run hold what was asked of it ([Gate])? It takes run
// folders and gives values with intervals, tests and a verdict in words; nothing is run again, and
// [enterprisedocbench/report] shows what comes out. Of numbers that others printed it says whether they
// follow from each other ([Recompute]).
//
// Runs are compared unit by unit (a document, a question), and only where they measured the same
// thing: the same documents and questions, by the same definitions. Anything else is refused with
// both values in the message.
//
// Reports are held against themselves too: [ReadPaper] takes the numbers that one prints and how they
// hang together, and [Recompute] says which do not follow from the others.
package study
