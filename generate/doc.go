// Package generate answers a question from the passages that were retrieved for it. It takes an
// edb.Question and its contexts, best first, and gives an edb.Answer: text, citations of document
// and page, token usage and how it ended. Providers: extractive (deterministic, needs nothing),
// openai (any OpenAI-compatible server), command and url (a program or service of the user's), and
// oracle (the gold answer). It never sees the gold answer otherwise, and never reads files.
package generate
