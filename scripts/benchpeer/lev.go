package main

import (
	"fmt"
	"os"
	"path/filepath"

	"enterprisedocbench/internal/vec"
)

func init() {
	paths["lev"] = func(folder string) error {
		for _, n := range []int{2000, 20000, 200000} {
			for _, s := range []int{50, 95} {
				var text [2]string
				for i, side := range []string{"a", "b"} {
					raw, err := os.ReadFile(filepath.Join(folder, fmt.Sprintf("%d_%d_%s.txt", n, s, side)))
					if err != nil {
						return err
					}
					text[i] = string(raw)
				}
				err := timed(fmt.Sprintf("%d/%d", n, s), .2, func() (any, error) { return vec.Levenshtein(text[0], text[1]), nil })
				if err != nil {
					return err
				}
			}
		}
		return nil
	}
}
