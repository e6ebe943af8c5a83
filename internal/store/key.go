package store

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
)

// Key names a finished piece of work: the SHA-256 of everything that decides its outcome.
type Key [sha256.Size]byte

// KeyOf hashes the canonical JSON of its parts: struct fields in their order, map keys sorted, no
// white space. Equal parts give equal keys on every platform.
func KeyOf(parts ...any) Key { return sha256.Sum256(JSON(parts)) }

// String is the key in hexadecimal.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// MarshalText is String, so that keys can stand inside other keys.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// HashFile is the SHA-256 of a file in hexadecimal, and its size in bytes.
func HashFile(path string) (sum string, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h := sha256.New()
	size, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), size, err
}
