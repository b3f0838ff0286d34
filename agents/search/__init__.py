"""Players that look ahead, written once for every game: through the generic rules, never with a word about one game."""
