package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"cruel/engine"
)

// version is set by the linker where a release is built (`make build`, the Dockerfile).
var version string

// versionOf is the version of this program: what the linker set, else the module's version or the commit
// that it was built from.
func versionOf(info *debug.BuildInfo) string {
	if version != "" {
		return version
	}
	if info == nil {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	commit, changed := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = "-" + s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "-dirty"
		}
	}
	return "devel" + commit + changed
}

// serverVersion is the version that submissions are marked with.
func serverVersion() string {
	info, _ := debug.ReadBuildInfo()
	return versionOf(info)
}

func newVersion() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Say which version this is",
		Long: `Say which version of the program this is, which version of the rules it plays,
and what it was built with and for.

Exit codes: 0 done.`,
		Example: `  cruel version
  cruel version --json | jq -r .version`,
		Args: takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			answer := struct {
				Version      string `json:"version"`
				RulesVersion int    `json:"rules_version"`
				Go           string `json:"go"`
				Platform     string `json:"platform"`
			}{serverVersion(), engine.RulesVersion, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), answer)
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "cruel %s, rules %d, %s, %s\n", answer.Version, answer.RulesVersion, answer.Go, answer.Platform)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "answer in JSON")
	return cmd
}
