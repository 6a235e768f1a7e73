package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"cruel/db"
)

// migration says what opening a database did to its schema: version 0 is a database without tables.
type migration struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

func (m migration) String() string {
	switch {
	case m.From == m.To:
		return fmt.Sprintf("opened, version %d", m.To)
	case m.From == 0:
		return fmt.Sprintf("new, version %d", m.To)
	}
	return fmt.Sprintf("opened, migrated from version %d to %d", m.From, m.To)
}

// openMigrated opens a database, makes it if it isn't there, and brings it to the newest migration.
func openMigrated(ctx context.Context, where database) (_ *db.DB, m migration, err error) {
	d, err := db.Open(ctx, where.text)
	if err != nil {
		return nil, m, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.Close())
		}
	}()
	if m.From, err = d.Version(ctx); err != nil {
		return nil, m, err
	}
	if err := d.Migrate(ctx); err != nil {
		return nil, m, err
	}
	m.To, err = d.Version(ctx)
	return d, m, err
}

func newMigrate() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Bring a database to the newest version",
		Long: `Bring a database to the version that this program needs. serve does it by
itself, so this is for those who want it done before, for example before the
servers of a Postgres are replaced one after the other. It may run on several
machines at once.

Servers of the release before that are running go on with the newer version, but
can't be started again: no server starts on a version that is newer than its
own. There is no way back, so make a backup first.

Exit codes: 0 done, or nothing was to do; 1 it failed; 2 a bad setting.`,
		Example: `  cruel migrate
  CRUEL_DATABASE=postgres://cruel@db/cruel cruel migrate --json`,
		Args: takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var cfg databaseConfig
			if err := load(cmd, &cfg); err != nil {
				return err
			}
			d, m, err := openMigrated(cmd.Context(), cfg.Database)
			if err != nil {
				return err
			}
			defer d.Close()
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), m)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", cfg.Database, m)
			return err
		},
	}
	addDatabaseFlag(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "answer in JSON")
	return cmd
}

func newBackup() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy an SQLite database while the server runs",
		Long: `Copy an SQLite database into a new file, while the server goes on. The copy is
whole: it holds everything that was acknowledged before the command began. It
also holds the signing key and the daily secret, so only its owner may read it.
To restore it, stop the server and put the copy in the place of the database,
without the files -wal and -shm beside it. For a Postgres use pg_dump.

Exit codes: 0 done; 1 it failed, for example because FILE is there already;
2 a bad setting.`,
		Example: `  cruel backup cruel-$(date +%F).db
  cruel backup --database /data/cruel.db /backups/cruel.db`,
		Args: takes("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return onDatabase(cmd, func(ctx context.Context, d *db.DB, where database) error {
				if err := d.Backup(ctx, args[0]); err != nil {
					return err
				}
				if asJSON {
					return writeJSON(cmd.OutOrStdout(), map[string]string{"database": where.String(), "backup": args[0]})
				}
				_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s is copied to %s\n", where, args[0])
				return err
			})
		},
	}
	addDatabaseFlag(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "answer in JSON")
	return cmd
}

// onDatabase does something to the database of the settings, which a server has been using.
func onDatabase(cmd *cobra.Command, do func(context.Context, *db.DB, database) error) error {
	var cfg databaseConfig
	if err := load(cmd, &cfg); err != nil {
		return err
	}
	d, err := openExisting(cmd.Context(), cfg.Database)
	if err != nil {
		return err
	}
	defer d.Close()
	return do(cmd.Context(), d, cfg.Database)
}

// openExisting opens a database that a server has been using; it makes none and migrates nothing.
func openExisting(ctx context.Context, where database) (*db.DB, error) {
	if !where.Postgres() {
		if _, err := os.Stat(where.String()); err != nil {
			return nil, fmt.Errorf("database: %w", err)
		}
	}
	d, err := db.Open(ctx, where.text)
	if err != nil {
		return nil, err
	}
	migrated, err := d.Migrated(ctx)
	if err == nil && !migrated {
		err = fmt.Errorf("database %s is older than this program; bring it up to date with: cruel migrate", where)
	}
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}
