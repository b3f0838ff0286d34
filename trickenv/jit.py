"""The only file that imports numba: compile decorator, dispatch by game, cache folder.

Three facts shape it (numba 0.68):

* The disk cache does not notice an edit in an *imported* file, nor a change of settings such as bounds checks, so the
  cache folder is named by a digest of these and of all sources of the package a function lives in and of trickenv.
* A kernel that receives functions as arguments or closes over them never hits the cache. `generic` instead picks
  the rules module while compiling, by the record type of the state, so one kernel serves every game.
* Compiled functions are ordinary Python under `NUMBA_DISABLE_JIT=1`; `generic` then looks the module up by dtype.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core import cgutils
from numba.extending import intrinsic, overload

F = TypeVar("F", bound=Callable[..., Any])

_KEPT_CACHES = 12
_modules: dict[tuple[str, Any], ModuleType] = {}  # part, and record type (compiled) or dtype (plain Python) -> module


def jit(function: F) -> F:
    """Compile on first call, keep the machine code on disk, release the GIL while running."""
    with _CacheFolder(function.__module__):
        return numba.njit(cache=True, nogil=True)(function)  # type: ignore[return-value]


def inlined(function: F) -> F:
    """Like `jit`, for small helpers that must melt into their callers, constants and all, to be fast."""
    with _CacheFolder(function.__module__):
        return numba.njit(cache=True, nogil=True, forceinline=True)(function)  # type: ignore[return-value]


def register(module: ModuleType, state: Any = None, part: str = "rules") -> None:
    """Make the functions of a module known to every `generic` function of a part, for states of a dtype.

    state: the module's own STATE by default. A later module for the same states takes the place of the earlier one, so
    register before compiled code wants it.
    """
    state = module.STATE if state is None else state
    _modules[part, state] = module
    _modules[part, numba.from_dtype(state)] = module


def generic(function: F, part: str = "rules", usual: bool = False) -> F:
    """A function of a state whose body is the function of the same name in the module registered for that state.

    The decorated function gives name, arguments and docstring; its first argument is the state. part: which kind of
    module is meant, such as the rules. usual: its own body serves where a module has no such function.
    """
    name = function.__name__
    body = jit(function) if usual else None

    def choice(module: ModuleType) -> Any:
        return getattr(module, name, body) if usual else getattr(module, name)

    signature = ", ".join(inspect.signature(function).parameters)

    @functools.wraps(function)
    def plain(state: Any, *arguments: Any) -> Any:
        return choice(_modules[part, state.dtype])(state, *arguments)

    def implementation(state: Any, *_: Any) -> Callable[..., Any] | None:
        module = _modules.get((part, state))
        if module is None:
            return None
        names: dict[str, Any] = {"chosen": choice(module)}
        exec(f"def body({signature}): return chosen({signature})", names)  # overload wants the very same argument names
        return names["body"]

    first, *rest = inspect.signature(function).parameters
    names: dict[str, Any] = {"implementation": implementation}
    exec(f"def choose({signature}): return implementation({', '.join([first, *rest])})", names)
    overload(plain, inline="never")(names["choose"])
    plain.usual = usual  # type: ignore[attr-defined]
    return plain  # type: ignore[return-value]


def instruction(name: str, *flags: bool) -> Callable[[F], F]:
    """Decorate a function of one int64, as plain Python, that is a single machine instruction when compiled.

    name: the instruction as llvmlite's IRBuilder has it, such as `ctpop`; flags: what else that takes.
    """

    def build(_context: Any, x: Any) -> Any:
        def code(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return getattr(builder, name)(arguments[0], *(context.get_constant(numba.boolean, flag) for flag in flags))

        return numba.int64(numba.int64), code

    machine: Any = intrinsic(build)

    def decorate(function: F) -> F:
        overload(function)(lambda x: lambda x: machine(x))
        return function

    return decorate


def scratch(dtype: np.dtype) -> Callable[[], Any]:
    """A function without arguments that makes a record of a dtype, as cheap as a local variable when compiled.

    The record holds anything at first, and lives no longer than the compiled function that made it: never return it.
    """
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return lambda: np.zeros(1, dtype)[0]
    record = numba.from_dtype(dtype)

    def build(_context: Any) -> Any:  # without `overload`: a function of its own would end the record's life
        def code(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
            place = cgutils.alloca_once(builder, context.get_data_type(record))
            place.align = 8
            return place

        return record(), code

    made: Any = intrinsic(build)
    return made


class _CacheFolder:
    """Sets numba's cache folder while one function is decorated; other users of numba keep theirs."""

    def __init__(self, module: str) -> None:
        self.folder = str(_cache_folder(module.partition(".")[0]))

    def __enter__(self) -> None:
        self.before = numba.config.CACHE_DIR  # type: ignore[attr-defined]
        numba.config.CACHE_DIR = self.folder  # type: ignore[attr-defined]

    def __exit__(self, *_: object) -> None:
        numba.config.CACHE_DIR = self.before  # type: ignore[attr-defined]


@functools.cache
def _cache_folder(package: str) -> Path:
    """Folder named by the sources that compiled code of `package` may depend on; made if missing."""
    config = numba.config  # type: ignore[attr-defined]
    settings = (numba.__version__, np.__version__, sys.version, config.BOUNDSCHECK, config.OPT)  # type: ignore[attr-defined]
    digest = hashlib.sha256(repr(settings).encode())
    for root in {Path(__file__).parent, _package_root(package)}:
        for path in sorted(root.rglob("*.py")):
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
    for base in _cache_bases():
        folder = base / f"{package}-{digest.hexdigest()[:16]}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            folder.touch()
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            _drop_old(base, folder)
            return folder
    return Path(tempfile.mkdtemp(prefix="trickenv-"))


def _package_root(package: str) -> Path:
    file = getattr(sys.modules.get(package), "__file__", None)
    return Path(file).parent if file and Path(file).name == "__init__.py" else Path(__file__).parent


def _cache_bases() -> list[Path]:
    """Where compiled code may be kept, best first: NUMBA_CACHE_DIR, the user's cache folder, the temporary folder."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    shared = Path(tempfile.gettempdir()) / f"trickenv-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
    return [Path(p) / "trickenv" for p in (named, home) if p] + [shared]


def _drop_old(base: Path, current: Path) -> None:
    """Forget the machine code of sources that are long gone: keep the latest few folders."""
    try:
        folders = sorted((p for p in base.iterdir() if p.is_dir()), key=lambda p: p.stat().st_mtime)
    except OSError:
        return
    for folder in folders[:-_KEPT_CACHES]:
        if folder != current:
            shutil.rmtree(folder, ignore_errors=True)
