// Package tokens turns text into what measures compare: a normal form, words with places, numbers,
// sentences, and the tokens of a named language-model tokenizer. It takes strings and gives places
// in Unicode code points; it knows no documents.
package tokens
