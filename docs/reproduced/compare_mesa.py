#!/usr/bin/env python3
"""Times abm-small and abm-large beside Mesa's flocking example with the same values, taking turns.

Needs mesa (PyPI). FLOCKSCOPE may name the program. flockscope's time is that of the whole process, so start and exit are
part of it; Mesa's is that of the 100 steps alone.
"""
import os
import platform
import subprocess
import time
from pathlib import Path

import mesa
from mesa.examples.basic.boid_flockers.model import BoidFlockers

FLOCKSCOPE = os.environ.get("FLOCKSCOPE", Path(__file__).resolve().parents[2] / "target/release/flockscope")
CASES = {"abm-small": (200, 100, 5), "abm-large": (400, 150, 15)}


def flockscope(preset):
    start = time.perf_counter()
    subprocess.run([FLOCKSCOPE, "run", "-p", preset, "-s", "1", "-j", "1", "--ticks", "100", "--hash"], check=True,
                   stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def mesa_example(boids, side, vision):
    model = BoidFlockers(population_size=boids, width=side, height=side, speed=1, vision=vision, separation=1,
                         cohere=0.03, separate=0.015, match=0.05, seed=1)
    start = time.perf_counter()
    for _ in range(100):
        model.step()
    return time.perf_counter() - start


version = subprocess.run([FLOCKSCOPE, "-V"], check=True, capture_output=True, text=True).stdout.strip()
print(f"{version}, Mesa {mesa.__version__}, Python {platform.python_version()}")
for preset, values in CASES.items():
    pairs = [(flockscope(preset), mesa_example(*values)) for _ in range(5)]
    ours, theirs = (min(times) for times in zip(*pairs))
    print(f"{preset}: flockscope {1e3 * ours:.1f} ms, Mesa {1e3 * theirs:.0f} ms, ratio {theirs / ours:.0f}")
