// Package model talks to language models over HTTP. It takes an address in the OpenAI-compatible
// form and messages, and gives the reply's text, why it ended and what it consumed. It retries what
// may pass (429, 5xx, a broken connection), waits as long as the server asks, and knows nothing of
// documents or questions.
package model
