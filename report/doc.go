// Package report shows what runs recorded: the table on a terminal and the self-contained HTML page.
// It takes a run folder or its summary and gives text; it computes nothing new.
package report
