package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/invopop/jsonschema"
	"github.com/spf13/cobra"

	"enterprisedocbench/parse"
	"enterprisedocbench/pipeline"
	"enterprisedocbench/report"
)

func workerCmd(s *streams) *cobra.Command {
	return &cobra.Command{
		Use: "__worker", Hidden: true, Short: "Parse documents that the parent sends (used by edb itself)", Args: exactly(0),
		RunE: func(c *cobra.Command, _ []string) error { return parse.ServeWorker(c.Context(), s.in, s.out) },
	}
}

func versionCmd(s *streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "version", Short: "Print the version of edb and of Go", Args: exactly(0),
		RunE: func(*cobra.Command, []string) error {
			v := map[string]string{"edb": pipeline.Version, "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH}
			if b, ok := debug.ReadBuildInfo(); ok {
				for _, kv := range b.Settings {
					if kv.Key == "vcs.revision" {
						v["revision"] = kv.Value
					}
				}
			}
			if asJSON {
				return s.printJSON(v)
			}
			_, err := fmt.Fprintf(s.out, "edb %s %s %s\n", v["edb"], v["go"], v["platform"])
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func configCmd(s *streams) *cobra.Command {
	c := group("config", "About the configuration file of edb run")
	c.AddCommand(&cobra.Command{
		Use: "schema", Short: "Print the JSON Schema of the configuration file", Args: exactly(0),
		RunE: func(*cobra.Command, []string) error {
			r := jsonschema.Reflector{ExpandedStruct: true, RequiredFromJSONSchemaTags: true, FieldNameTag: "yaml"}
			schema := r.Reflect(&pipeline.Config{})
			b, err := json.MarshalIndent(schema, "", "  ")
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(s.out, "%s\n", b)
			return err
		},
	})
	return c
}

func doctorCmd(s *streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "doctor", Short: "Print each engine and encoder: what it needs, whether it is there, the command that brings it", Args: exactly(0),
		RunE: func(*cobra.Command, []string) error {
			type row struct {
				Engine  string   `json:"engine"`
				Version int      `json:"version"`
				What    string   `json:"what"`
				Reads   []string `json:"reads"`
				Needs   string   `json:"needs,omitempty"`
				OK      bool     `json:"ok"`
				Problem string   `json:"problem,omitempty"`
				Get     string   `json:"get,omitempty"`
			}
			var rows []row
			table := [][]string{{"Engine", "There", "What", "Needs"}}
			for _, e := range parse.All() {
				r := row{Engine: e.Name, Version: e.Version, What: e.What, Reads: e.Accepts, Needs: e.Needs, OK: true, Get: e.Get}
				if e.Available != nil {
					if err := e.Available(); err != nil {
						r.OK, r.Problem = false, err.Error()
					}
				}
				rows = append(rows, r)
				there, needs := "yes", r.Needs
				if needs == "" {
					needs = "nothing: in the binary"
				}
				if !r.OK {
					there, needs = "no", r.Problem+"; "+r.Get
				}
				table = append(table, []string{r.Engine, there, r.What, needs})
			}
			encoders := modelRows()
			for _, r := range encoders {
				table = append(table, r.columns())
			}
			if asJSON {
				return s.printJSON(map[string]any{"engines": rows, "encoders": encoders})
			}
			return report.Columns(s.out, table)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}
