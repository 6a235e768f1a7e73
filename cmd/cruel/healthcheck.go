package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/spf13/cobra"
)

func newHealthcheck() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "healthcheck",
		Short: "Ask a running server whether it can be used",
		Long: `Ask the server of this machine whether it can be used: whether /readyz answers
200 within 3 seconds, which it does once the database can be reached and is
migrated. The image of the Dockerfile has no curl, so Docker asks with this.

Exit codes: 0 it can be used; 1 it can't, or nothing answers; 2 a bad address.`,
		Example: `  cruel healthcheck
  cruel healthcheck --listen 127.0.0.1:9000`,
		Args: takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var cfg listenConfig
			if err := load(cmd, &cfg); err != nil {
				return err
			}
			status, err := askReady(cmd.Context(), cfg.Listen.url("127.0.0.1"))
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), status)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s (version %s)\n", status.Status, status.Version)
			return err
		},
	}
	addListenFlag(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "answer in JSON")
	return cmd
}

// readiness is the answer of /readyz.
type readiness struct {
	Status  string `json:"status"`
	Version string `json:"version"`
}

func askReady(ctx context.Context, server string) (readiness, error) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, server+"/readyz", nil)
	if err != nil {
		return readiness{}, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return readiness{}, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return readiness{}, fmt.Errorf("%s answers %s", request.URL, response.Status)
	}
	var status readiness
	if err := json.NewDecoder(io.LimitReader(response.Body, 1<<16)).Decode(&status); err != nil {
		return readiness{}, fmt.Errorf("%s isn't a Cruel server: %w", server, err)
	}
	return status, nil
}
