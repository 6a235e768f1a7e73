package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"cruel/account"
	"cruel/db"
)

func newAdmin() *cobra.Command {
	cmd := group(&cobra.Command{
		Use:   "admin",
		Short: "Commands for operators",
		Long: `Commands for operators: what only those who run the server may do. They work on
the database, whether the server runs or not.`,
		Example: `  cruel admin rename rude-name guest-1
  cruel admin rotate-key`,
	})
	cmd.AddCommand(newRename(), newRotateKey())
	return cmd
}

func newRename() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "rename NAME NEW",
		Short: "Give a player another name",
		Long: `Give a player another name, against their will. The old name is nobody's from
then on: neither they nor anyone else can take it, or one that looks like it.
Results and sessions stay.

Exit codes: 0 done; 1 there is no such player, or the new name is taken or can't
be a name; 2 a bad setting.`,
		Example: `  cruel admin rename rude-name polite-name
  cruel admin rename --database postgres://cruel@db/cruel rude-name polite-name`,
		Args: takes("NAME", "NEW"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return onDatabase(cmd, func(ctx context.Context, d *db.DB, _ database) error {
				accounts, err := account.New(ctx, d, account.Options{Now: time.Now})
				if err != nil {
					return err
				}
				player, err := accounts.AdminRename(ctx, args[0], args[1])
				if err != nil {
					return fmt.Errorf("rename %q to %q: %w", args[0], args[1], err)
				}
				if asJSON {
					return writeJSON(cmd.OutOrStdout(), map[string]string{"id": player.ID, "name": player.Name})
				}
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is now called %s\n", args[0], player.Name)
				return err
			})
		},
	}
	addDatabaseFlag(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "answer in JSON")
	return cmd
}

func newRotateKey() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "rotate-key",
		Short: "Add a key that will sign access tokens",
		Long: `Add a key that will sign access tokens. It signs from an hour later on: by then
every server, which loads the keys every 5 minutes, and whoever keeps a copy of
/.well-known/jwks.json knows it. Nobody is logged out: tokens of the key before
are good until the last of them has expired, a quarter of an hour later still.

Exit codes: 0 done; 1 it failed; 2 a bad setting.`,
		Example: `  cruel admin rotate-key
  cruel admin rotate-key --json | jq -r .kid`,
		Args: takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return onDatabase(cmd, func(ctx context.Context, d *db.DB, where database) error {
				accounts, err := account.New(ctx, d, account.Options{Now: time.Now})
				if err != nil {
					return err
				}
				if err := accounts.RotateKey(ctx); err != nil {
					return fmt.Errorf("rotate the signing key: %w", err)
				}
				keys := accounts.JWKS().Keys
				kid := keys[len(keys)-1].ID
				if asJSON {
					return writeJSON(cmd.OutOrStdout(), map[string]string{"database": where.String(), "kid": kid})
				}
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s has the new signing key %s; it signs in an hour\n", where, kid)
				return err
			})
		},
	}
	addDatabaseFlag(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "answer in JSON")
	return cmd
}
