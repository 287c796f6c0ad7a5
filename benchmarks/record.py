"""Shared parts of all benchmarks: fair timing, peak memory, and a record of the run."""

import argparse
import importlib
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import torch

ROOT = Path(__file__).parent.parent
DATA = ROOT / "book/data"

#: glibc gives freed memory back and faults it in again, page by page: a fresh output of
#: 32 MiB costs more than the work on it. With these, memory once used is kept.
ALLOCATOR = {
    "MALLOC_MMAP_THRESHOLD_": "4294967296",
    "MALLOC_TRIM_THRESHOLD_": "4294967296",
}
PACKAGES = (
    "numpy",
    "torch",
    "transformers",
    "x-transformers",
    "rotary-embedding-torch",
    "nbgrader",
)

Work = Callable[[], Any]


def keep_memory() -> None:
    """Start this program again with `ALLOCATOR`, unless it is set already."""
    if not os.environ.items() >= ALLOCATOR.items():
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | ALLOCATOR)


def peer(module: str) -> Any:
    """Import a module of another project; return None if it is not installed."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError:
        return None


def in_turn(
    candidates: dict[str, Work], *, repeats: int = 15, warm_up: int = 2
) -> dict[str, list[float]]:
    """Time all candidates in turn, so that a slow moment of the machine hits them all.

    Returns the milliseconds of each, in the order of the repeats.
    """
    times: dict[str, list[float]] = {name: [] for name in candidates}
    for repeat in range(warm_up + repeats):
        for name, run in candidates.items():
            start = time.perf_counter()
            run()
            if repeat >= warm_up:
                times[name].append(1e3 * (time.perf_counter() - start))
    return times


def round_robin(
    candidates: dict[str, Work], *, repeats: int = 15, warm_up: int = 2
) -> dict[str, dict[str, float]]:
    """Return median and quartiles of each candidate `in_turn`, in milliseconds."""
    summary = {}
    times = in_turn(candidates, repeats=repeats, warm_up=warm_up)
    for name, values in times.items():
        low, median, high = statistics.quantiles(values, n=4)
        summary[name] = {"median": median, "low": low, "high": high}
    return summary


def visits(
    visit: Callable[[str], dict[str, float]], *, repeats: int, count: int, last: str
) -> dict[str, dict[str, float]]:
    """Return medians of a browser's first visit and of the last of `count`, named.

    `visit` is given the folder of the browser's profile, a new one for each repeat.
    """
    medians: dict[str, list[dict[str, float]]] = {"first visit": [], last: []}
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as profile:
            results = [visit(profile) for _ in range(count)]
        medians["first visit"].append(results[0])
        medians[last].append(results[-1])
    return {
        which: {
            name: round(statistics.median(result[name] for result in results), 2)
            for name in results[0]
        }
        for which, results in medians.items()
    }


def show(title: str, summary: dict[str, dict[str, float]], *, bound: str) -> None:
    """Print medians, and their ratios to that of `bound`."""
    print(title)
    for name, row in summary.items():
        ratio = row["median"] / summary[bound]["median"]
        spread = f"{row['low']:.2f} … {row['high']:.2f}"
        print(f"  {name:28} {row['median']:9.2f} ms ({spread})  {ratio:6.2f} × {bound}")


def alone(
    script: str, name: str, length: int, *, backward: bool, timed: bool = True
) -> dict[str, float]:
    """Return time and peak memory of one candidate, each in its own process.

    Memory is that of the first call with the allocator as it comes: one that keeps
    memory also keeps holes, and the peak would be that of the holes.
    """
    command = [sys.executable, script, "--alone", name, str(length)]
    command += ["--backward"] if backward else []
    plain = {k: v for k, v in os.environ.items() if k not in ALLOCATOR}

    def report(environment: dict[str, str]) -> dict[str, float]:
        read: dict[str, float] = json.loads(
            subprocess.check_output(command, text=True, env=environment)
        )
        return read

    time_taken = {"ms": report(plain | ALLOCATOR)["ms"]} if timed else {}
    return time_taken | {"mib": report(plain)["mib"]}


def run_alone(make: Callable[[int], Work], length: int, *, backward: bool) -> None:
    """Print what `alone` reads: milliseconds, and memory above the inputs'.

    One thread, and the processor's time in it: a busy neighbor makes two threads wait
    for each other, and one thread for the processor, at some lengths and not at others.
    Then the curve shows the neighbor. On a quiet machine it is the time by the clock.
    """
    torch.set_num_threads(1)
    torch.set_grad_enabled(backward)
    work, small = make(length), make(64)

    def once(run: Work) -> None:
        out = run()
        if backward:
            out.sum().backward()

    once(small)  # libraries are loaded before memory is read
    before = _resident()
    once(work)
    report = {"mib": _resident() - before}
    if os.environ.items() >= ALLOCATOR.items():
        times = []
        for _ in range(5):
            start = time.process_time()
            once(work)
            times.append(1e3 * (time.process_time() - start))
        report["ms"] = statistics.median(times)
    print(json.dumps(report))


def scaling(
    script: str,
    makers: dict[str, Callable[[int], Work]],
    lengths: tuple[int, ...],
    *,
    longest: dict[str, int],
    timed: bool = True,
) -> dict[str, Any]:
    """Measure every maker at every length, each in its own process.

    They use one thread, unlike `round_robin`. `longest` names makers that need too much
    memory beyond some length; these cells are left out. Without `timed`, memory alone.
    """
    results: dict[str, Any] = {}
    for direction in ("forward", "backward"):
        for length in lengths:
            for name in makers:
                if length > longest.get(name, length):
                    continue
                backward = direction == "backward"
                row = alone(script, name, length, backward=backward, timed=timed)
                results.setdefault(direction, {}).setdefault(length, {})[name] = row
                print(f"  {direction} {length} {name}: {row}", flush=True)
    return results


def main(
    script: str,
    description: str,
    measure: Callable[[], dict[str, Any]],
    makers: dict[str, Callable[[int], Work]],
    lengths: tuple[int, ...],
    *,
    longest: dict[str, int],
    seed: int,
    timed: bool = True,
) -> None:
    """Run the command line of a benchmark with curves over length; write its JSON.

    `measure` gives everything but the curves, which `scaling` adds unless ``--quick``:
    of memory alone if `measure` has taken the times (``timed=False``).
    """
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--alone", nargs=2, metavar=("NAME", "LENGTH"))
    parser.add_argument("--backward", action="store_true")
    parser.add_argument("--quick", action="store_true", help="no curves over length")
    options = parser.parse_args()
    if options.alone:
        name, length = options.alone
        run_alone(makers[name], int(length), backward=options.backward)
        return
    keep_memory()
    torch.set_grad_enabled(False)
    results = measure()
    if not options.quick:
        results["scaling"] = scaling(
            script, makers, lengths, longest=longest, timed=timed
        )
    save(Path(script).stem, results, seed=seed)


def save(name: str, results: Any, *, seed: int) -> None:
    """Write ``book/data/bench_<name>.json`` with command, versions and machine."""
    path = DATA / f"bench_{name}.json"
    record = {
        "command": f"python benchmarks/{Path(sys.argv[0]).name}",
        "seed": seed,
        "versions": _versions(),
        "machine": machine(),
        "results": results,
    }
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(f"written: {path.relative_to(ROOT)}")


def machine() -> dict[str, Any]:
    """Return processor, threads and memory, as far as this system reports them."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = cpuinfo.read_text().splitlines()
        names = [line.split(":")[1].strip() for line in lines if "model name" in line]
        model = names[0] if names else model
    memory = resource.getpagesize() * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "processor": model,
        "torch_threads": torch.get_num_threads(),
        "memory_gib": round(memory, 1),
        "system": platform.system(),
        "load": round(os.getloadavg()[0], 1),
    }


def _versions() -> dict[str, str]:
    versions = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    return versions


def _resident() -> float:
    """Return the peak resident size of this process so far, in MiB.

    Linux's ``ru_maxrss`` survives the start of a program: it would be the peak of the
    one that started this. The peak in ``/proc`` begins anew.
    """
    status = Path("/proc/self/status")
    if status.exists():
        line = next(x for x in status.read_text().splitlines() if "VmHWM" in x)
        return int(line.split()[1]) / 1024
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
