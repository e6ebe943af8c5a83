package universe

// TruthFile is the name of the truth beside a generated dataset: a SQLite database.
const TruthFile = "truth.sqlite"

// PlanFile is the name of the plan beside a world of package riker: what it was made from.
const PlanFile = "plan.json"

// truthSchema is the schema of truth.sqlite; docs/universe.md describes it. Offsets are code points
// of a page's text, boxes are PDF points from the page's top left, pages count from 1.
const truthSchema = `
CREATE TABLE world ( -- how the world was made
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE entities ( -- people, companies, places and dealings
  id   TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  name TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE relations ( -- subject's relation is object
  subject  TEXT NOT NULL REFERENCES entities,
  relation TEXT NOT NULL,
  object   TEXT NOT NULL REFERENCES entities,
  PRIMARY KEY (subject, relation)
) STRICT, WITHOUT ROWID;

CREATE TABLE documents ( -- what tells about a dealing
  id      TEXT PRIMARY KEY,
  doctype TEXT NOT NULL,
  title   TEXT NOT NULL,
  pages   INTEGER NOT NULL,
  subject TEXT NOT NULL REFERENCES entities
) STRICT, WITHOUT ROWID;

CREATE TABLE facts ( -- what is true of a dealing
  id      INTEGER PRIMARY KEY,
  subject TEXT NOT NULL REFERENCES entities,
  field   TEXT NOT NULL,
  type    TEXT NOT NULL CHECK (type IN ('text', 'number', 'date')),
  text    TEXT NOT NULL, -- a date as 2006-01-02, a number as it is printed
  number  REAL,
  unit    TEXT,
  printed TEXT NOT NULL,
  UNIQUE (subject, field),
  CHECK ((type = 'number') = (number IS NOT NULL))
) STRICT;

CREATE TABLE renderings ( -- where a document prints a fact
  id    INTEGER PRIMARY KEY,
  fact  INTEGER NOT NULL REFERENCES facts,
  doc   TEXT NOT NULL REFERENCES documents,
  page  INTEGER NOT NULL,
  start INTEGER NOT NULL,
  end   INTEGER NOT NULL,
  x0 REAL, y0 REAL, x1 REAL, y1 REAL,
  quote TEXT NOT NULL -- the statement, table row or label that says it
) STRICT;

CREATE TABLE questions (
  id       TEXT PRIMARY KEY,
  text     TEXT NOT NULL,
  modality TEXT NOT NULL,
  subtype  TEXT,
  task     TEXT,
  level    TEXT,
  domain   TEXT,
  type     TEXT,   -- of the answer; null: there is none
  answer   TEXT,
  number   REAL,   -- of a number; 1 and 0 for yes and no
  unit     TEXT,
  query    TEXT    -- gives the answer from this database
) STRICT, WITHOUT ROWID;

CREATE TABLE evidence ( -- what an answer rests on
  question TEXT NOT NULL REFERENCES questions,
  n        INTEGER NOT NULL, -- from 1
  doc      TEXT NOT NULL REFERENCES documents,
  page     INTEGER NOT NULL,
  start    INTEGER NOT NULL,
  end      INTEGER NOT NULL,
  x0 REAL, y0 REAL, x1 REAL, y1 REAL,
  quote    TEXT NOT NULL,
  PRIMARY KEY (question, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE absences ( -- what is left out on purpose
  id       INTEGER PRIMARY KEY,
  doc      TEXT REFERENCES documents, -- null: it stands in no document
  what     TEXT NOT NULL,
  reason   TEXT NOT NULL CHECK (reason IN ('clause', 'probe')),
  phrase   TEXT NOT NULL, -- the words that must not stand there
  question TEXT REFERENCES questions  -- that asks for it
) STRICT;

CREATE INDEX facts_by_field ON facts (field, text);
CREATE INDEX renderings_by_fact ON renderings (fact);
CREATE INDEX renderings_by_place ON renderings (doc, page, start);

CREATE VIEW stated AS -- facts beside what they are true of
SELECT f.id AS fact, f.subject, e.kind, e.name, f.field, f.type, f.text, f.number, f.unit, f.printed
  FROM facts f JOIN entities e ON e.id = f.subject;

CREATE VIEW support AS -- questions beside the facts that their evidence prints
SELECT v.question, v.n, r.doc, r.page, f.subject, f.field, f.printed, v.quote
  FROM evidence v
  JOIN renderings r ON r.doc = v.doc AND r.page = v.page AND r.start = v.start AND r.end = v.end
  JOIN facts f ON f.id = r.fact;
`
