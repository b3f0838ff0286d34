"""Players by name. Importing this package makes them known to every environment and command."""
