package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
	_ "modernc.org/sqlite" // the driver behind the cache's index
)

// Entry is one finished piece of work. Failure is the reason of a deterministic failure, kept so
// that it is not tried again; Value is then empty. Cost is what making it consumed, as JSON of the
// caller's choice: an entry found later still says what it cost.
type Entry struct {
	Value   []byte
	Failure string
	Cost    []byte
}

// Cache is the store of finished work, shared by all runs and safe for several processes at once.
// Its index is one SQLite file; values are compressed with zstd, large ones stand in files named by
// their key. One goroutine writes: an entry is on disk, whole, before Put returns, so a process
// that is killed loses only what it had not finished.
type Cache struct {
	dir   string
	db    *sql.DB
	get   *sql.Stmt
	enc   *zstd.Encoder
	dec   *zstd.Decoder
	queue chan put
	done  chan struct{}

	mu     sync.Mutex
	flight map[Key]*flight
	closed bool
}

type put struct {
	key   Key
	stage string
	e     Entry
	ack   chan error
}

type flight struct {
	done chan struct{}
	e    Entry
	err  error
}

// largeValue is the compressed size in bytes from which a value stands in a file of its own.
const largeValue = 1 << 18

// OpenCache opens or makes the cache in dir.
func OpenCache(dir string) (*Cache, error) {
	if err := os.MkdirAll(filepath.Join(dir, "values"), 0o755); err != nil {
		return nil, damaged(dir, err)
	}
	dsn := "file:" + filepath.Join(dir, "index.sqlite") +
		"?_pragma=busy_timeout(20000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_txlock=immediate"
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, damaged(dir, err)
	}
	if _, err := db.Exec(`CREATE TABLE IF NOT EXISTS entries (
		key BLOB PRIMARY KEY, stage TEXT NOT NULL, failure TEXT NOT NULL, value BLOB, file INTEGER NOT NULL, cost BLOB
	) WITHOUT ROWID`); err != nil {
		db.Close()
		return nil, damaged(dir, err)
	}
	c := &Cache{dir: dir, db: db, queue: make(chan put, 64), done: make(chan struct{}), flight: map[Key]*flight{}}
	if c.get, err = db.Prepare(`SELECT failure, value, file, cost FROM entries WHERE key = ?`); err != nil {
		db.Close()
		return nil, damaged(dir, err)
	}
	c.enc, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	c.dec, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(0))
	go c.write()
	return c, nil
}

// Close waits for what is being written and closes the index.
func (c *Cache) Close() error {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return nil
	}
	c.closed = true
	c.mu.Unlock()
	close(c.queue)
	<-c.done
	c.get.Close()
	c.dec.Close()
	return c.db.Close()
}

// Get looks an entry up.
func (c *Cache) Get(key Key) (Entry, bool, error) {
	var e Entry
	var value []byte
	var file bool
	err := c.get.QueryRow(key[:]).Scan(&e.Failure, &value, &file, &e.Cost)
	if errors.Is(err, sql.ErrNoRows) {
		return e, false, nil
	}
	if err != nil {
		return e, false, damaged(c.dir, err)
	}
	if file {
		if value, err = os.ReadFile(c.valuePath(key)); errors.Is(err, os.ErrNotExist) {
			return Entry{}, false, nil // the value was removed by hand: make it again
		} else if err != nil {
			return e, false, damaged(c.dir, err)
		}
	}
	if len(value) > 0 {
		if e.Value, err = c.dec.DecodeAll(value, nil); err != nil {
			return Entry{}, false, nil // a damaged value is made again
		}
	}
	return e, true, nil
}

// Put stores an entry; it is on disk when Put returns.
func (c *Cache) Put(key Key, stage string, e Entry) error {
	p := put{key, stage, e, make(chan error, 1)}
	c.queue <- p
	return <-p.ack
}

// Do gives the entry of key, making it once even if many ask at the same time. An error of make is
// given to all who wait and is not stored; a deterministic failure belongs in Entry.Failure.
// Found reports that nothing had to be made by this call.
func (c *Cache) Do(ctx context.Context, key Key, stage string, produce func(context.Context) (Entry, error)) (e Entry, found bool, err error) {
	c.mu.Lock()
	if f, ok := c.flight[key]; ok {
		c.mu.Unlock()
		select {
		case <-f.done:
			return f.e, f.err == nil, f.err
		case <-ctx.Done():
			return Entry{}, false, ctx.Err()
		}
	}
	f := &flight{done: make(chan struct{})}
	c.flight[key] = f
	c.mu.Unlock()
	defer func() {
		f.e, f.err = e, err
		c.mu.Lock()
		delete(c.flight, key)
		c.mu.Unlock()
		close(f.done)
	}()
	if e, found, err = c.Get(key); err != nil || found {
		return e, found, err
	}
	if err = ctx.Err(); err != nil {
		return e, false, err
	}
	if e, err = produce(ctx); err != nil {
		return Entry{}, false, err
	}
	return e, false, c.Put(key, stage, e)
}

func (c *Cache) valuePath(key Key) string {
	s := key.String()
	return filepath.Join(c.dir, "values", s[:2], s)
}

// write is the one writer: it takes what has gathered in the queue into one transaction and
// acknowledges it after the commit.
func (c *Cache) write() {
	defer close(c.done)
	for p := range c.queue {
		batch := []put{p}
	gather:
		for len(batch) < 256 {
			select {
			case q, ok := <-c.queue:
				if !ok {
					break gather
				}
				batch = append(batch, q)
			default:
				break gather
			}
		}
		err := c.commit(batch)
		for _, p := range batch {
			p.ack <- err
		}
	}
}

func (c *Cache) commit(batch []put) error {
	tx, err := c.begin()
	if err != nil {
		return damaged(c.dir, err)
	}
	defer tx.Rollback()
	for _, p := range batch {
		value := []byte(nil)
		if len(p.e.Value) > 0 {
			value = c.enc.EncodeAll(p.e.Value, nil)
		}
		file := len(value) >= largeValue
		if file {
			if err := WriteFile(c.valuePath(p.key), value); err != nil {
				return damaged(c.dir, err)
			}
			value = nil
		}
		if _, err := tx.Exec(`INSERT OR REPLACE INTO entries VALUES (?,?,?,?,?,?)`, p.key[:], p.stage, p.e.Failure, value, file, p.e.Cost); err != nil {
			return damaged(c.dir, err)
		}
	}
	if err := tx.Commit(); err != nil {
		return damaged(c.dir, err)
	}
	return nil
}

// begin waits out another process that holds the write lock.
func (c *Cache) begin() (tx *sql.Tx, err error) {
	for range 5 {
		if tx, err = c.db.Begin(); err == nil {
			return tx, nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return nil, err
}

// Len is the number of entries.
func (c *Cache) Len() (n int, err error) {
	err = c.db.QueryRow(`SELECT count(*) FROM entries`).Scan(&n)
	return n, err
}
