package main

import (
	"context"

	"github.com/rogpeppe/go-internal/testscript"

	"enterprisedocbench/universe"
)

// world makes a small generated dataset in a folder: world DIR.
func world(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: world DIR")
	}
	ts.Check(universe.WriteDemo(context.Background(), ts.MkAbs(args[0]), universe.Options{Seed: 11, Documents: 12, Questions: 40}))
}
