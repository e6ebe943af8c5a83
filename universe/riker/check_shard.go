package riker

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/klauspost/compress/zstd"

	edb "enterprisedocbench"

	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/store"
)

// openShards reads the questions of a sharded world.
func (c *checker) openShards() (bool, error) {
	path := filepath.Join(c.dir, datasets.QuestionsFile)
	rows, err := store.ReadJSONL[questionLine](path, true)
	if errors.Is(err, os.ErrNotExist) {
		c.lines = map[string]int{}
		return true, nil
	}
	if err != nil {
		c.fault(datasets.Fault{File: datasets.QuestionsFile, Problem: err.Error(), Fix: remake})
		c.skip("everything behind the questions: the faults above come first")
		return false, nil
	}
	for _, r := range rows {
		c.questions = append(c.questions, r.Question)
	}
	return true, c.cite(path)
}

// shardReader gives the lines of the shards in the order of the documents; goroutines that ask for one
// too early wait.
type shardReader struct {
	c     *checker
	mu    sync.Mutex
	lines map[int][]byte // that were read before they were asked for
	next  int
	file  *os.File
	z     *zstd.Decoder
	r     *bufio.Reader
	bad   map[int]bool // shards with a fault of their own
}

func (c *checker) shards() (*shardReader, error) {
	return &shardReader{c: c, lines: map[int][]byte{}, bad: map[int]bool{}}, nil
}

func (s *shardReader) close() {
	if s.z != nil {
		s.z.Close()
		s.z = nil
	}
	if s.file != nil {
		s.file.Close()
		s.file = nil
	}
}

// document gives document id as its shard has it, and holds its line against the one that the plan
// makes.
func (s *shardReader) document(id int) (shelved, error) {
	c := s.c
	d := shelved{file: ShardFile(id/c.size+1, ceilDiv(c.world.Documents(), c.size)), line: id%c.size + 1}
	line, err := s.line(id)
	if err != nil {
		d.lost = datasets.Fault{File: d.file, Line: d.line, Problem: err.Error(), Fix: remake}
		return d, nil
	}
	var got shardDocument
	if err := json.Unmarshal(line, &got); err != nil {
		d.lost = datasets.Fault{File: d.file, Line: d.line, Problem: err.Error(), Fix: remake}
		return d, nil
	}
	d.doc = edb.Document{ID: got.ID, Title: got.Title}
	d.text = &got.Text
	d.gold = edb.Parsed{Doc: got.ID, Pages: []edb.Page{{Number: 1, Elements: []edb.Element{{Kind: edb.KindParagraph, Text: got.Text}}}}}
	d.raw = line
	return d, nil
}

var errShort = errors.New("the shard ends before this document")

// line gives the line of document id.
func (s *shardReader) line(id int) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.next <= id {
		line, err := s.read(s.next)
		if err != nil {
			line = nil
		}
		s.lines[s.next] = line
		s.next++
	}
	line := s.lines[id]
	delete(s.lines, id)
	if line == nil {
		return nil, errShort
	}
	return line, nil
}

// read reads the line of the next document.
func (s *shardReader) read(id int) ([]byte, error) {
	shard := id / s.c.size
	if id%s.c.size == 0 {
		if err := s.open(shard); err != nil {
			s.bad[shard] = true
		}
	}
	if s.bad[shard] {
		return nil, errShort
	}
	line, err := s.r.ReadBytes('\n')
	if err != nil || len(line) > store.MaxLine {
		s.bad[shard] = true
		return nil, errShort
	}
	if last := id%s.c.size == s.c.size-1 || id == s.c.world.Documents()-1; last {
		if _, err := s.r.ReadByte(); !errors.Is(err, io.EOF) {
			s.bad[shard] = true
			return nil, errShort
		}
	}
	return line, nil
}

func (s *shardReader) open(shard int) error {
	if s.file != nil {
		s.file.Close()
		s.file = nil
	}
	f, err := os.Open(filepath.Join(s.c.dir, ShardFile(shard+1, ceilDiv(s.c.world.Documents(), s.c.size))))
	if err != nil {
		return err
	}
	s.file = f
	if s.z == nil {
		s.z, err = zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
	} else {
		err = s.z.Reset(f)
	}
	s.r = bufio.NewReaderSize(s.z, 1<<16)
	return err
}

// sameLine holds the line of a shard against the one that the plan makes.
func (c *checker) sameLine(p *proof, d shelved, w Document) {
	if !bytes.Equal(d.raw, shardLine(w)) {
		p.fault(d, fmt.Sprintf("document %s: the line is not the one that the plan makes", w.ID))
		return
	}
	p.proven[provenFiles]++
}
