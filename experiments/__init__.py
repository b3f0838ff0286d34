"""Commands: `python -m experiments.<name> --help`."""

import os

for _library in ("OPENBLAS", "MKL", "BLIS"):  # before numpy loads: small products on shared cores suffer from more
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")
