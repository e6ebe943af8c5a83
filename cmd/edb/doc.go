// Command edb measures document pipelines stage by stage and says where the quality is lost.
//
// Each subcommand reads flags, makes one call into a package and prints one table; --json prints one
// object instead. See `edb --help` and the README.
package main
