// Package vec holds the inner loops that the measures and indexes spend their time in: edit
// distance over code points, dot products, and products of matrices with the maxima that greedy
// matching needs. It takes plain strings and slices, gives numbers, and knows nothing of documents.
package vec
