"""Commands: `python -m experiments.<name> --help`."""
