"""Who may import whom, and what the wheel holds."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BASE = {"jit": 0, "options": 1, "cards": 1, "tricks": 2, "blocks": 2, "state": 3, "observation": 4}
LAYERS = ["games", "engine", "render", "envs"]  # inside trickenv, lowest first


def rank(module: str) -> int:
    """Height of a module in the house; it may import what is not higher."""
    package, _, rest = module.partition(".")
    if package != "trickenv":
        return {"agents": 30, "experiments": 40}[package]
    part = rest.partition(".")[0]
    if part in BASE:
        return BASE[part]
    return 10 + LAYERS.index(part) if part in LAYERS else 20


def imports(path: Path) -> list[str]:
    """Modules of this project that a file imports anywhere."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found += [f"{node.module}.{n.name}" if node.module == "trickenv" else node.module for n in node.names]
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
    return [name for name in found if name.partition(".")[0] in ("trickenv", "agents", "experiments")]


def sources() -> list[Path]:
    return [p for folder in ("trickenv", "agents", "experiments") for p in sorted((ROOT / folder).rglob("*.py"))]


def test_arrows_point_one_way() -> None:
    wrong = []
    for path in sources():
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        lazy = {"trickenv.render.text"} if name == "trickenv.engine.table" else set()  # str(table) draws
        for used in imports(path):
            if used != "trickenv" and rank(used) > rank(name) and used not in lazy:
                wrong.append(f"{name} imports {used}")
    assert wrong == []


def test_rules_modules_import_the_base_only() -> None:
    for path in (ROOT / "trickenv/games").glob("[a-z]*.py"):
        assert {rank(used) for used in imports(path)} <= set(BASE.values()), path.name


def test_only_jit_imports_numba() -> None:
    users = [p.name for p in sources() if "import numba" in p.read_text(encoding="utf-8")]
    assert users == ["jit.py"]


def test_torch_is_imported_lazily() -> None:
    code = "import sys, trickenv.envs.aec, trickenv.envs.single, agents; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


@pytest.mark.slow
def test_the_wheel_alone_plays_a_deal(tmp_path: Path) -> None:
    """Built, installed without the checkout, and played through AEC; its dependencies come from this environment."""
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    wheel = next(tmp_path.glob("*.whl"))
    tops = {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {t for t in tops if not t.endswith(".dist-info")} == {"trickenv"}
    home = tmp_path / "env"
    subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
    python = str(home / "bin/python")
    install = [
        python,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-deps",
        "--no-index",
        "--disable-pip-version-check",
        str(wheel),
    ]
    subprocess.run(install, check=True)
    packages = Path(next(p for p in sys.path if p.endswith("site-packages")))
    borrowed = "numpy numba llvmlite gymnasium pettingzoo cloudpickle farama_notifications"
    library = next(home.glob("lib/python*/site-packages"))
    for name in [*borrowed.split(), "typing_extensions.py"]:
        if (packages / name).exists():
            (library / name).symlink_to(packages / name)
    code = """
import trickenv
from trickenv import trionfo_v0
assert "env" in trickenv.__file__, trickenv.__file__
env = trionfo_v0.env(episode="deal")
env.reset(seed=1)
total = {agent: 0 for agent in env.agents}
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    total[agent] += reward
    env.step(None if terminated or truncated else int(info["action_mask"].argmax()))
assert total["player_0"] == -total["player_1"] != 0, total
"""
    clean = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    subprocess.run([python, "-c", code], check=True, cwd=tmp_path, env=clean)
