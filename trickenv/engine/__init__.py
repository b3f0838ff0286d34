"""Everything that works for any game: dealing, batches, tables, views, worlds, records, players."""
