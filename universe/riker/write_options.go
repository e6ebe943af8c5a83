package riker

// WriteOptions say how a world is written; the zero value is a good one.
type WriteOptions struct {
	// Progress is told how far a stage has come; total 0 is not known. It may be nil.
	Progress func(stage string, done, total int)
	// Workers is the number of goroutines that make documents, 0 one a processor. The bytes that are
	// written do not depend on it.
	Workers int
	// ShardSize above 0 writes the world as shards of that many documents; 0 does so for worlds of
	// more than 50,000 documents, in shards of 10,000.
	ShardSize int
	// Shard above 0 makes that shard alone, counting from 1.
	Shard int
	// NoTruth leaves out truth.sqlite and with it the questions.
	NoTruth bool
}

func (o WriteOptions) progress(stage string, done, total int) {
	if o.Progress != nil {
		o.Progress(stage, done, total)
	}
}
