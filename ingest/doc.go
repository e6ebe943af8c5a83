// Package ingest makes datasets of documents that nobody prepared: a folder of somebody's own files.
// It takes the folder, engines that read files, and questions if there are any; it gives a dataset
// directory, a configuration that edb run takes as it is, and a sheet that says what can be measured
// now and what labelling would add.
//
// Without questions it makes some: known-item questions, whose answer is a place that was chosen
// first (Azzopardi, de Rijke and Balog, Building Simulated Queries for Known-Item Topics, SIGIR
// 2007). They say how well a pipeline finds a passage by its own rare words. That is less than what
// users ask, and every record says that they are synthetic. What parsers make of the same page is
// compared by TIS; that is agreement, not quality, and is never called P.
//
// Engines are handed in as functions: the package knows no parser.
package ingest
