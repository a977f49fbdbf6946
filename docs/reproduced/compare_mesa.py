#!/usr/bin/env python3
"""Times abm-small and abm-large beside Mesa's flocking example with the same rule and values, taking turns, and compares the
polarization after 100 steps. In both, directions point over the periodic border.

Needs mesa (PyPI). FLOCKSCOPE may name the program. The time of flockscope's ticks is that of a process with 100 ticks less that
of a process without, each the best of many. Mesa's is that of the 100 steps alone, the best of five.
"""
import csv
import os
import platform
import subprocess
import time
from pathlib import Path

import mesa
import numpy as np
from mesa.examples.basic.boid_flockers.model import BoidFlockers

FLOCKSCOPE = os.environ.get("FLOCKSCOPE", Path(__file__).resolve().parents[2] / "target/release/flockscope")
SEEDS = 20
CASES = {"abm-small": (200, 100, 5), "abm-large": (400, 150, 15)}


def flockscope(preset, ticks):
    start = time.perf_counter()
    subprocess.run([FLOCKSCOPE, "run", "-p", preset, "-s", "1", "-j", "1", "--ticks", str(ticks), "--hash"], check=True,
                   stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def mesa_example(boids, side, vision, seed):
    model = BoidFlockers(population_size=boids, width=side, height=side, speed=1, vision=vision, separation=1,
                         cohere=0.03, separate=0.015, match=0.05, seed=seed)
    start = time.perf_counter()
    for _ in range(100):
        model.step()
    took = time.perf_counter() - start
    headings = np.array([agent.direction / np.linalg.norm(agent.direction) for agent in model.agents])
    return took, np.linalg.norm(headings.mean(axis=0))


def polarizations(preset):
    rows = subprocess.run([FLOCKSCOPE, "sweep", "-p", preset, "--seeds", str(SEEDS), "--warmup", "100", "--ticks", "1",
                           "--measure", "polarization", "-o", "-"], check=True, capture_output=True, text=True).stdout
    return [float(row["polarization"]) for row in csv.DictReader(rows.splitlines())]


def mean(values):
    return f"{np.mean(values):.3f} ± {np.std(values, ddof=1) / len(values) ** 0.5:.3f}"


version = subprocess.run([FLOCKSCOPE, "-V"], check=True, capture_output=True, text=True).stdout.strip()
print(f"{version}, Mesa {mesa.__version__}, Python {platform.python_version()}")
for preset, values in CASES.items():
    whole, start, theirs = [], [], []
    for _ in range(5):
        theirs.append(mesa_example(*values, seed=1)[0])
        for _ in range(20):
            whole.append(flockscope(preset, 100))
            start.append(flockscope(preset, 0))
    whole, start, theirs = min(whole), min(start), min(theirs)
    ticks = whole - start
    print(f"{preset}: flockscope's ticks {1e3 * ticks:.2f} ms, whole process {1e3 * whole:.2f} ms, Mesa {1e3 * theirs:.0f} ms, "
          f"ratios {theirs / ticks:.0f} and {theirs / whole:.0f}")
    theirs = [mesa_example(*values, seed)[1] for seed in range(1, SEEDS + 1)]
    print(f"{preset}: polarization after 100 steps, of {SEEDS} seeds: flockscope {mean(polarizations(preset))}, Mesa {mean(theirs)}")
