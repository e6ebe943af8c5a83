// Package docs holds the manual and the test that keeps it true: links lead somewhere, and what the
// pages show of commands is run and compared. It takes the Markdown files of this folder, README.md
// and ARCHITECTURE.md, and gives nothing at run time.
package docs
