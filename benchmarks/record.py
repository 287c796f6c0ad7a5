"""What every benchmark shares: fair timing, peak memory, and a record of how it ran."""

import json
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
DATA = ROOT / "book/data"


def round_robin(
    candidates: dict[str, Callable[[], Any]], *, repeats: int = 15, warm_up: int = 2
) -> dict[str, dict[str, float]]:
    """Time all candidates in turn, so that a slow moment of the machine hits them all.

    Returns the median and the quartiles of each, in milliseconds.
    """
    times: dict[str, list[float]] = {name: [] for name in candidates}
    for repeat in range(warm_up + repeats):
        for name, run in candidates.items():
            start = time.perf_counter()
            run()
            if repeat >= warm_up:
                times[name].append(1e3 * (time.perf_counter() - start))
    summary = {}
    for name, values in times.items():
        low, median, high = statistics.quantiles(values, n=4)
        summary[name] = {"median": median, "low": low, "high": high}
    return summary


def peak_memory(code: str) -> float:
    """Peak resident memory of a fresh process that runs `code`, in MiB."""
    report = "import resource as r; print(r.getrusage(r.RUSAGE_SELF).ru_maxrss / 1024)"
    result = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"],
        check=True,
        capture_output=True,
        text=True,
    )
    return float(result.stdout.split()[-1])


def save(name: str, results: Any, *, seed: int | None = None) -> Path:
    """Write ``book/data/<name>.json`` with command, versions and machine beside it."""
    path = DATA / f"{name}.json"
    record = {
        "command": "python "
        + " ".join(["benchmarks/" + Path(sys.argv[0]).name, *sys.argv[1:]]),
        "seed": seed,
        "versions": {p: version(p) for p in ("numpy", "torch")}
        | {"python": platform.python_version()},
        "machine": machine(),
        "results": results,
    }
    path.write_text(json.dumps(record, indent=1) + "\n")
    return path


def machine() -> dict[str, Any]:
    """Processor, cores and memory, as far as this system tells."""
    import torch

    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = cpuinfo.read_text().splitlines()
        names = [line.split(":")[1].strip() for line in lines if "model name" in line]
        model = names[0] if names else model
    memory = resource.getpagesize() * _physical_pages() / 2**30
    return {
        "processor": model,
        "torch_threads": torch.get_num_threads(),
        "memory_gib": round(memory, 1),
        "system": platform.system(),
    }


def _physical_pages() -> int:
    import os

    return os.sysconf("SC_PHYS_PAGES")
