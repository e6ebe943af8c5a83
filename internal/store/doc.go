// Package store keeps results on disk so that nothing finished is lost: files written whole or not
// at all, JSON lines with line numbers in their errors, and the cache of finished work that all
// runs share. It takes bytes and keys and gives bytes; it knows no stage.
package store
