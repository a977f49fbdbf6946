#!/usr/bin/env python3
"""Runs the sweeps of docs/reproduced.md, draws its figures, and writes its tables.

usage: make.py [vicsek] [density] [couzin] [large] [...]   (default: all but `large`)

FLOCKSCOPE may name the program; by default it is target/release/flockscope. Needs numpy and matplotlib.
Data are written to CSV files beside this script, and are kept: delete one to run its sweep again.
"""
import csv
import math
import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "reproduced.md"
FLOCKSCOPE = os.environ.get("FLOCKSCOPE", HERE.parents[1] / "target/release/flockscope")


def sweep(name, *options):
    """The rows of a sweep, which runs if its file does not exist."""
    path = HERE / f"{name}.csv"
    if not path.exists():
        subprocess.run([FLOCKSCOPE, "sweep", *map(str, options), "--yes", "-o", path], check=True)
    with path.open() as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def by(rows, *keys, value="polarization"):
    """Mean and standard error over the seeds, for each combination of the keys."""
    groups = defaultdict(list)
    for row in rows:
        groups[tuple(row[key] for key in keys)].append(float(row[value]))
    return {key: (np.mean(x), np.std(x, ddof=1) / math.sqrt(len(x))) for key, x in groups.items()}


def figure(name, xlabel, ylabel):
    plt.xlabel(xlabel)
    plt.ylabel(ylabel)
    if plt.gca().get_legend_handles_labels()[0]:
        plt.legend(frameon=False, fontsize=8)
    plt.tight_layout()
    plt.savefig(HERE / f"{name}.svg", metadata={"Date": None})
    plt.close()


def write_table(name, header, rows):
    """Replaces the table between two comments in the page."""
    lines = ["| " + " | ".join(header) + " |", "| " + " | ".join(["---"] * len(header)) + " |"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    text = PAGE.read_text()
    start, end = f"<!-- table {name} -->\n", f"<!-- end {name} -->"
    pattern = re.escape(start) + ".*?" + re.escape(end)
    table = start + "\n".join(lines) + "\n" + end
    PAGE.write_text(re.sub(pattern, lambda _: table, text, flags=re.S))


SIZES = {40: 3.1, 100: 5, 400: 10}
LARGE = {4000: 31.6, 10000: 50}


def sizes(of):
    return ";".join(f"{boids},{side}x{side}" for boids, side in of.items())


def vicsek():
    """Figure 2a of Vicsek et al. 1995: φ(η) at ρ = 4."""
    rows = sweep("vicsek-noise", "-p", "vicsek", "--over", f"boids,world={sizes(SIZES)}", "--over",
                 "noise.angle=0:360:15", "--seeds", 5, "--warmup", 3000, "--ticks", 6000)
    if (HERE / "vicsek-noise-large.csv").exists():
        rows += sweep("vicsek-noise-large")
    means = by(rows, "boids", "noise.angle")
    angles = sorted({float(angle) for _, angle in means})
    text = lambda angle: str(int(angle)) if angle == int(angle) else str(angle)
    boids = sorted({int(boids) for boids, _ in means})
    for count in boids:
        have = [angle for angle in angles if (str(count), text(angle)) in means]
        values = [means[str(count), text(angle)] for angle in have]
        plt.errorbar(np.radians(have), [v for v, _ in values], [e for _, e in values], marker="o", ms=3,
                     lw=1, label=f"N = {count}")
    half = np.linspace(1e-6, math.pi, 100)
    plt.plot(2 * half, np.sin(half) / half, "k--", lw=1, label="all-to-all, N → ∞")
    figure("vicsek-noise", "η (rad)", "φ")
    cell = lambda key: "{:.4f} ± {:.4f}".format(*means[key]) if key in means else "–"
    write_table("vicsek", ["η (°)", "η (rad)", *(f"N = {count}" for count in boids)],
                [[text(a), f"{math.radians(a):.2f}", *(cell((str(count), text(a))) for count in boids)]
                 for a in angles])


def large():
    """The same for the two large flocks of the figure, with fewer points."""
    sweep("vicsek-noise-large", "-p", "vicsek", "--over", f"boids,world={sizes(LARGE)}", "--over",
          "noise.angle=0:300:30", "--seeds", 2, "--warmup", 2000, "--ticks", 2000)
    vicsek()


def density():
    """Figure 2b: φ(ρ) in a world of 20 by 20."""
    rows = sweep("vicsek-density", "-p", "vicsek", "--world", "20x20", "--set", "noise.angle=115", "--over",
                 "boids=40,100,200,400,800,1600,3200", "--seeds", 3, "--warmup", 2000, "--ticks", 2000)
    means = by(rows, "boids")
    counts = sorted(int(boids) for boids, in means)
    values = [means[str(count),] for count in counts]
    plt.errorbar([count / 400 for count in counts], [v for v, _ in values], [e for _, e in values], marker="o",
                 ms=3, lw=1)
    figure("vicsek-density", "ρ (boids per u²)", "φ")
    write_table("density", ["ρ", "φ"], [[f"{count / 400:g}", "{:.3f} ± {:.3f}".format(*means[str(count),])]
                                        for count in counts])


STATES = ["swarm", "torus", "dynamic", "parallel"]


def couzin():
    """The four states of Couzin et al. 2002, and the hysteresis of the torus."""
    lines = []
    for state in STATES:
        rows = sweep(f"couzin-{state}", "-p", f"couzin-{state}", "--seeds", 8, "--warmup", 3000, "--ticks", 3000,
                     "--measure", "polarization,rotation,nearest_neighbor,flocks")
        p, m, d = (by(rows, value=value)[()] for value in ("polarization", "rotation", "nearest_neighbor"))
        together = sum(float(row["flocks"]) == 1 for row in rows)
        lines.append([state, "{:.3f} ± {:.3f}".format(*p), "{:.3f} ± {:.3f}".format(*m), "{:.2f} ± {:.2f}".format(*d),
                      f"{together} of {len(rows)}"])
    write_table("couzin", ["state", "p (polarization)", "m (rotation)", "nearest neighbor (u)", "runs in one group"],
                lines)

    rows = sweep("couzin-hysteresis", "-p", "couzin-torus", "--ramp", "couzin.orientation=0:8:0.25", "--hold", 2000,
                 "--seeds", 6, "--measure", "polarization,rotation,flocks")
    for direction, style in (("up", "o-"), ("down", "s--")):
        part = [row for row in rows if row["direction"] == direction]
        for measure, color in (("polarization", "C0"), ("rotation", "C1")):
            means = by(part, "couzin.orientation", value=measure)
            widths = sorted(means, key=lambda key: float(key[0]))
            plt.plot([float(width) for width, in widths], [means[width][0] for width in widths], style, ms=3, lw=1,
                     color=color, label=f"{measure}, Δr_o {'raised' if direction == 'up' else 'lowered'}")
    figure("couzin-hysteresis", "Δr_o (u)", "p, m")


def correlation():
    """Correlation length of velocity fluctuations against the size of the flock (Cavagna et al. 2010)."""
    rows = sweep("starlings-correlation", "-p", "starlings", "--predators", 0, "--over", "boids=125,250,500,1000,2000",
                 "--seeds", 4, "--warmup", 1500, "--ticks", 200, "--measure", "correlation_length,polarization")
    means = by(rows, "boids", value="correlation_length")
    counts = sorted(int(boids) for boids, in means)
    values = [means[str(count),] for count in counts]
    plt.errorbar(np.sqrt(counts), [v for v, _ in values], [e for _, e in values], marker="o", ms=3, lw=1)
    figure("starlings-correlation", "√N (as the size of the world)", "correlation length (u)")
    write_table("correlation", ["N", "correlation length (u)"],
                [[str(count), "{:.1f} ± {:.1f}".format(*means[str(count),])] for count in counts])


def bands():
    """The density of the preset `bands` along its mean heading."""
    path = HERE / "bands-state.csv"
    subprocess.run([FLOCKSCOPE, "run", "-p", "bands", "-s", "3", "--ticks", "8000", "--every", "8000", "-o", path],
                   check=True)
    with path.open() as file:
        rows = [row for row in csv.DictReader(file) if row["tick"] == "8000"]
    path.unlink()
    x = np.array([[float(row["x"]), float(row["y"])] for row in rows])
    v = np.array([[float(row["vx"]), float(row["vy"])] for row in rows])
    density, _ = np.histogram(x[:, 0], bins=32, range=(0, 64))
    plt.step(np.arange(32) * 2 + 1, density / (2 * 32), where="mid")
    plt.axhline(2, color="k", lw=0.5, ls="--")
    mean = np.linalg.norm((v / np.linalg.norm(v, axis=1)[:, None]).mean(axis=0))
    plt.title(f"φ = {mean:.2f}", fontsize=9)
    figure("bands", "x (u)", "boids per u²")


def anisotropy():
    """Anisotropy of the n-th nearest neighbors against n (Ballerini et al. 2008), in two dimensions."""
    path = HERE / "starlings-state.csv"
    subprocess.run([FLOCKSCOPE, "run", "-p", "starlings", "--predators", "0", "-s", "1", "--ticks", "2000", "--every", "100",
                    "-o", path], check=True)
    ticks = defaultdict(list)
    with path.open() as file:
        for row in csv.DictReader(file):
            if int(row["tick"]) >= 1000:
                ticks[row["tick"]].append([float(row[key]) for key in ("x", "y", "vx", "vy")])
    path.unlink()
    ranks = range(1, 21)
    along = defaultdict(list)
    for rows in ticks.values():
        agents = np.array(rows)
        x, v = agents[:, :2], agents[:, 2:]
        h = v / np.linalg.norm(v, axis=1)[:, None]
        for i in range(len(x)):
            d = x - x[i]
            order = np.argsort((d * d).sum(axis=1))[1:max(ranks) + 1]
            for rank, j in zip(ranks, order):
                u = d[j] / (np.linalg.norm(d[j]) or 1)
                along[rank].append((u @ h[i]) ** 2)
    # 1/2 for an isotropic distribution in two dimensions.
    values = [np.mean(along[rank]) for rank in ranks]
    errors = [np.std(along[rank]) / math.sqrt(len(along[rank])) for rank in ranks]
    plt.errorbar(ranks, values, errors, marker="o", ms=3, lw=1)
    plt.axhline(0.5, color="k", lw=0.5, ls="--")
    figure("starlings-anisotropy", "rank of the neighbor", "mean squared cosine to the heading")


def states(*options):
    """The states that a run of the preset `stardisplay` writes: a dictionary of arrays for each tick."""
    path = HERE / "murmuration-state.csv"
    subprocess.run([FLOCKSCOPE, "run", "-p", "stardisplay", *map(str, options), "-o", path], check=True)
    ticks = defaultdict(list)
    with path.open() as file:
        for row in csv.DictReader(file):
            if row["kind"] == "prey":
                ticks[int(row["tick"])].append([float(row[key]) for key in ("id", "x", "y", "z", "vx", "vy", "vz", "mood")])
    path.unlink()
    return {tick: dict(id=a[:, 0], x=a[:, 1:4], v=a[:, 4:7], mood=a[:, 7]) for tick, a in
            ((tick, np.array(rows)) for tick, rows in ticks.items())}


def largest_group(x, radius=6):
    """The largest group in which each bird is within `radius` of another."""
    near = (((x[:, None] - x[None]) ** 2).sum(axis=2) < radius * radius)
    left, best = np.ones(len(x), bool), np.zeros(len(x), bool)
    while left.any():
        group, front = np.zeros(len(x), bool), np.zeros(len(x), bool)
        front[np.argmax(left)] = True
        while front.any():
            group |= front
            front = near[front].any(axis=0) & ~group
        left &= ~group
        best = group if group.sum() > best.sum() else best
    return best


def wave_speed(seed):
    """The speed of the wave in the flock, in u/s, from a slow falcon at its side. Nothing flees."""
    path = HERE / "murmuration-start.csv"
    options = ["run", "-p", "stardisplay", "-s", str(seed)]
    subprocess.run([FLOCKSCOPE, *options, "--ticks", "120", "--predators", "0", "--every", "120", "-o", path], check=True)
    lines = path.read_text().splitlines()
    rows = [line.split(",") for line in lines[1:] if line.startswith("120,")]
    end = max(rows, key=lambda row: float(row[3]))
    falcon = ["120", "3000", "predator", str(float(end[3]) + 6), *end[4:6], "0", "0", "0", "0", "0"]
    path.write_text("\n".join([lines[0], *(",".join(row) for row in [*rows, falcon])]) + "\n")
    ticks = states("-s", seed, "--input", path, "--ticks", 120, "--set", "hunt.speed=0.01", "--set", "flee.weight=0")
    path.unlink()
    x, front = ticks[120]["x"], []
    for tick in sorted(ticks):
        reached = ticks[tick]["mood"] > 0
        front.append((x[:, 0].max() - x[reached, 0]).max() if reached.any() else 0)
    front = np.array(front)
    rising = (front > 10) & (front < 0.9 * front.max())
    return 60 * np.polyfit(np.flatnonzero(rising), front[rising], 1)[0]


def murmuration():
    """Shape, order and waves of the preset `stardisplay` (Hildenbrandt et al. 2010, Hemelrijk et al. 2015)."""
    found = defaultdict(list)
    for seed in range(1, 6):
        samples = defaultdict(list)
        ticks = states("-s", seed, "--ticks", 6000, "--every", 250)
        for tick, state in ticks.items():
            if tick < 1000:
                continue
            group = largest_group(state["x"])
            x, h = state["x"][group], state["v"][group] / np.linalg.norm(state["v"][group], axis=1)[:, None]
            axes = np.sqrt(np.linalg.eigvalsh(np.cov(x.T)))
            d2 = ((x[:, None] - x[None]) ** 2).sum(axis=2)
            np.fill_diagonal(d2, np.inf)
            nearest = d2.argmin(axis=1)
            offset = x[nearest] - x
            cosine = (offset * h).sum(axis=1) / np.linalg.norm(offset, axis=1)
            samples["share of the largest flock"].append(group.mean())
            samples["polarization in it"].append(np.linalg.norm(h.mean(axis=0)))
            samples["middle axis / shortest axis"].append(axes[1] / axes[0])
            samples["longest axis / shortest axis"].append(axes[2] / axes[0])
            samples["distance to the nearest bird (m)"].append(np.sqrt(d2.min(axis=1)).mean())
            samples["mean squared cosine, heading to nearest bird"].append((cosine ** 2).mean())
        for name, values in samples.items():
            found[name].append(np.median(values))
        found["speed of the wave (m/s)"].append(wave_speed(seed))
    published = {
        "middle axis / shortest axis": "2.8 (Ballerini 2008)", "longest axis / shortest axis": "5.6 (Ballerini 2008)",
        "polarization in it": "above 0.9 (Ballerini 2008)", "distance to the nearest bird (m)": "0.7 to 1.5 (Ballerini 2008)",
        "mean squared cosine, heading to nearest bird": "below 1/3 (Ballerini 2008)",
        "speed of the wave (m/s)": "about 13 (Procaccini 2011)",
    }
    write_table("murmuration", ["", "flockscope", "published, of starlings"], [
        [name, f"{np.mean(x):.2f} ± {np.std(x, ddof=1) / math.sqrt(len(x)):.2f}", published.get(name, "–")]
        for name, x in found.items()])


def main():
    parts = sys.argv[1:] or ["vicsek", "density", "couzin", "correlation", "bands", "anisotropy", "murmuration"]
    plt.rcParams.update({"figure.figsize": (5, 3.4), "svg.hashsalt": "flockscope", "font.size": 9})
    for part in parts:
        globals()[part]()


main()
