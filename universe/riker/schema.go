package riker

// Schema is the schema of truth.sqlite (docs/universe.md draws it). Money is in US dollars, dates
// are 2006-01-02, and an optional part that a document does not have is NULL in its column and a row
// of absences. Columns of the document tables carry the names of the facts that documents print
// (Fact.Field), which renderings refer to. Offsets are code points of a page's text, boxes PDF
// points from the top left, pages count from 1.
const Schema = `
CREATE TABLE world (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID; -- how the world was made

-- The pools: everybody and everything that documents speak of.
CREATE TABLE territories (id TEXT PRIMARY KEY, name TEXT NOT NULL, manager TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE agents (id TEXT PRIMARY KEY, name TEXT NOT NULL, employee_number TEXT NOT NULL, territory TEXT NOT NULL REFERENCES territories, title TEXT NOT NULL, hired TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE jobs (agent TEXT NOT NULL REFERENCES agents, n INTEGER NOT NULL, employer TEXT NOT NULL, title TEXT NOT NULL, start TEXT NOT NULL, end TEXT, PRIMARY KEY (agent, n)) STRICT, WITHOUT ROWID;
CREATE TABLE companies (id TEXT PRIMARY KEY, role TEXT NOT NULL CHECK (role IN ('lessor', 'lessee', 'prospect')), name TEXT NOT NULL, bare TEXT NOT NULL, town TEXT NOT NULL, director TEXT NOT NULL, finance_director TEXT, contact TEXT) STRICT, WITHOUT ROWID;
CREATE TABLE products (id TEXT PRIMARY KEY, name TEXT NOT NULL, price INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE deals (id TEXT PRIMARY KEY, agent TEXT NOT NULL REFERENCES agents, customer TEXT NOT NULL REFERENCES companies, lease TEXT, value INTEGER NOT NULL, stage TEXT NOT NULL, opened TEXT NOT NULL, closed TEXT) STRICT, WITHOUT ROWID;
CREATE TABLE deal_lines (deal TEXT NOT NULL REFERENCES deals, n INTEGER NOT NULL, product TEXT NOT NULL REFERENCES products, quantity INTEGER NOT NULL, price INTEGER NOT NULL, amount INTEGER NOT NULL, PRIMARY KEY (deal, n)) STRICT, WITHOUT ROWID;

-- The documents and what each type states.
CREATE TABLE documents (id TEXT PRIMARY KEY, kind TEXT NOT NULL, n INTEGER NOT NULL, format TEXT NOT NULL, style TEXT NOT NULL, title TEXT NOT NULL, pages INTEGER NOT NULL, tokens INTEGER) STRICT, WITHOUT ROWID;
CREATE TABLE leases (id TEXT PRIMARY KEY, doc TEXT NOT NULL REFERENCES documents, number TEXT NOT NULL, lessor TEXT NOT NULL REFERENCES companies, lessee TEXT NOT NULL REFERENCES companies, agent TEXT REFERENCES agents,
  building TEXT NOT NULL, address TEXT NOT NULL, town TEXT NOT NULL, use TEXT NOT NULL, area INTEGER NOT NULL, signed TEXT NOT NULL, start TEXT NOT NULL, end TEXT NOT NULL, monthly INTEGER NOT NULL, deposit INTEGER NOT NULL,
  increase REAL NOT NULL, notice_days INTEGER NOT NULL, late_fee INTEGER NOT NULL, parking_fee INTEGER, signage_fee INTEGER, pet_deposit INTEGER, break_fee INTEGER, renewal_years INTEGER) STRICT, WITHOUT ROWID;
CREATE TABLE reports (id TEXT PRIMARY KEY, doc TEXT NOT NULL REFERENCES documents, number TEXT NOT NULL, deal TEXT NOT NULL REFERENCES deals, lease TEXT REFERENCES leases, agent TEXT NOT NULL REFERENCES agents, territory TEXT NOT NULL REFERENCES territories,
  customer TEXT NOT NULL REFERENCES companies, visit INTEGER NOT NULL, date TEXT NOT NULL, stage TEXT NOT NULL, probability INTEGER NOT NULL, value INTEGER NOT NULL, attendees INTEGER NOT NULL, next_step TEXT NOT NULL,
  next_date TEXT, competitor TEXT, budget INTEGER, discount INTEGER, concern TEXT) STRICT, WITHOUT ROWID;
CREATE TABLE reviews (id TEXT PRIMARY KEY, doc TEXT NOT NULL REFERENCES documents, number TEXT NOT NULL, agent TEXT NOT NULL REFERENCES agents, territory TEXT NOT NULL REFERENCES territories, period TEXT NOT NULL, period_start TEXT NOT NULL, period_end TEXT NOT NULL,
  date TEXT NOT NULL, overall REAL NOT NULL, deals_won INTEGER NOT NULL, value_won INTEGER NOT NULL, days_absent INTEGER NOT NULL, raise REAL, training TEXT, promotion TEXT, bonus INTEGER) STRICT, WITHOUT ROWID;
CREATE TABLE scores (review TEXT NOT NULL REFERENCES reviews, competency TEXT NOT NULL, score REAL NOT NULL, PRIMARY KEY (review, competency)) STRICT, WITHOUT ROWID;
CREATE TABLE invoices (id TEXT PRIMARY KEY, doc TEXT NOT NULL REFERENCES documents, number TEXT NOT NULL, deal TEXT NOT NULL REFERENCES deals, customer TEXT NOT NULL REFERENCES companies, instalment INTEGER NOT NULL, date TEXT NOT NULL, due TEXT NOT NULL,
  subtotal INTEGER NOT NULL, tax_rate INTEGER NOT NULL, tax REAL NOT NULL, total REAL NOT NULL, order_number TEXT, discount INTEGER) STRICT, WITHOUT ROWID;
CREATE TABLE statements (id TEXT PRIMARY KEY, doc TEXT NOT NULL REFERENCES documents, number TEXT NOT NULL, company TEXT NOT NULL REFERENCES companies, quarter TEXT NOT NULL, quarter_start TEXT NOT NULL, quarter_end TEXT NOT NULL, revenue INTEGER NOT NULL,
  cost_of_sales INTEGER NOT NULL, gross INTEGER NOT NULL, personnel INTEGER NOT NULL, occupancy INTEGER NOT NULL, other INTEGER NOT NULL, operating INTEGER NOT NULL, cash INTEGER NOT NULL, headcount INTEGER NOT NULL, approved TEXT NOT NULL,
  dividend INTEGER, covenant INTEGER) STRICT, WITHOUT ROWID;
CREATE TABLE segments (statement TEXT NOT NULL REFERENCES statements, name TEXT NOT NULL, amount INTEGER NOT NULL, PRIMARY KEY (statement, name)) STRICT, WITHOUT ROWID;
CREATE TABLE handbooks (id TEXT PRIMARY KEY, doc TEXT NOT NULL REFERENCES documents, number TEXT NOT NULL, territory TEXT NOT NULL REFERENCES territories, edition INTEGER NOT NULL, in_force TEXT NOT NULL, owner TEXT NOT NULL, per_diem INTEGER NOT NULL,
  mileage INTEGER NOT NULL, gift_limit INTEGER NOT NULL, leave_days INTEGER NOT NULL, notice_days INTEGER NOT NULL, probation INTEGER NOT NULL, retention INTEGER NOT NULL, approval INTEGER NOT NULL,
  remote_days INTEGER, phone_budget INTEGER, study_days INTEGER, car_allowance INTEGER) STRICT, WITHOUT ROWID;

-- Where documents print their facts, and what is left out on purpose.
CREATE TABLE renderings (doc TEXT NOT NULL, field TEXT NOT NULL, n INTEGER NOT NULL, value TEXT NOT NULL, page INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL, x0 REAL, y0 REAL, x1 REAL, y1 REAL, quote TEXT NOT NULL, PRIMARY KEY (doc, field, n)) STRICT, WITHOUT ROWID;
CREATE TABLE absences (doc TEXT, field TEXT NOT NULL, phrase TEXT NOT NULL, reason TEXT NOT NULL CHECK (reason IN ('clause', 'probe')), question TEXT) STRICT;

-- The questions.
CREATE TABLE questions (id TEXT PRIMARY KEY, level TEXT NOT NULL, template TEXT NOT NULL, text TEXT NOT NULL, modality TEXT NOT NULL, subtype TEXT, task TEXT, domain TEXT, type TEXT, answer TEXT, number REAL, unit TEXT, query TEXT, evidence_query TEXT, depth REAL) STRICT, WITHOUT ROWID;
CREATE TABLE evidence (question TEXT NOT NULL REFERENCES questions, n INTEGER NOT NULL, doc TEXT NOT NULL, page INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL, x0 REAL, y0 REAL, x1 REAL, y1 REAL, quote TEXT NOT NULL, PRIMARY KEY (question, n)) STRICT, WITHOUT ROWID;
`
