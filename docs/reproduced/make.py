#!/usr/bin/env python3
"""Repeats published results with flockscope, and writes the tables and figures of docs/reproduced.md.

usage: make.py [vicsek] [transition] [density] [fluctuations] [bands] [couzin] [sorting] [starlings] [murmuration]

Without arguments it makes all parts, in about 15 minutes on two cores. Each part keeps its verdicts in target/reproduced, so
that the table on top of the page always has those of all parts. FLOCKSCOPE may name the program; by default it is
target/release/flockscope. Needs numpy, scipy and matplotlib.
"""
import csv
import json
import math
import os
import re
import subprocess
import sys
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import linprog
from scipy.spatial import ConvexHull, cKDTree

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "reproduced.md"
DATA = HERE.parents[1] / "target/reproduced"
FLOCKSCOPE = os.environ.get("FLOCKSCOPE", HERE.parents[1] / "target/release/flockscope")


# --- runs

def flockscope(*options):
    subprocess.run([FLOCKSCOPE, *map(str, options)], check=True)


def read(path):
    """The rows of a CSV file as dictionaries, with numbers as floats."""
    def number(text):
        try:
            return float(text)
        except ValueError:
            return text

    with path.open() as file:
        return [{key: number(text) for key, text in row.items()} for row in csv.DictReader(file)]


def sweep(name, *options):
    path = DATA / f"{name}.csv"
    path.unlink(missing_ok=True)
    flockscope("sweep", *options, "--yes", "-o", path)
    return read(path)


def run(name, *options, flag="-o"):
    """The file that a run writes with this option, such as `--measures`."""
    path = DATA / f"{name}.csv"
    flockscope("run", *options, flag, path)
    return read(path)


def curve(of, name, *options):
    """The rows of a curve that a run writes."""
    path = DATA / f"{name}.csv"
    flockscope("run", *options, "--curve", f"{of}={path}")
    return read(path)


def for_seeds(count, function):
    """The results for the seeds from 1 on, two at a time."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(function, range(1, count + 1)))


def mean(values):
    """Mean and standard error of independent values."""
    return np.mean(values), np.std(values, ddof=1) / math.sqrt(len(values))


def jackknife(statistic, seeds):
    """A statistic of all seeds, with its error from leaving out each of them."""
    parts = [statistic([kept for kept in seeds if kept != seed]) for seed in seeds]
    return statistic(seeds), math.sqrt((len(parts) - 1) * np.var(parts))


def by(rows, *keys, value="polarization"):
    """Mean and standard error over the seeds, for each combination of the keys."""
    groups = defaultdict(list)
    for row in rows:
        groups[tuple(row[key] for key in keys)].append(row[value])
    return {key: mean(values) for key, values in groups.items()}


# --- the page

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
    start, end = f"<!-- table {name} -->\n", f"<!-- end {name} -->"
    table = start + "\n".join(lines) + "\n" + end
    page = PAGE.read_text()
    assert start in page, f"the page has no table {name}"
    PAGE.write_text(re.sub(re.escape(start) + ".*?" + re.escape(end), lambda _: table, page, flags=re.S))


def text(value, error):
    """A value with two digits of its error."""
    digits = min(max(1 - math.floor(math.log10(error)), 1), 5) if error > 0 else 5
    return f"{value:.{digits}f} ± {error:.{digits}f}"


class Claims(list):
    """Published results beside ours, each with a verdict that follows from the numbers."""

    def add(self, claim, source, published, ours, low, high=math.inf):
        """Ours, a value and its standard error, agrees if two errors reach the published range."""
        value, error = ours
        agrees = low - 2 * error <= value <= high + 2 * error
        self.append([claim, source, published, text(value, error), "agrees" if agrees else "**differs**"])

    def value(self, claim, source, published, error, ours):
        """Ours agrees with a published value if the difference is at most two combined errors."""
        allowed = 2 * math.hypot(error, ours[1]) - 2 * ours[1]
        self.add(claim, source, text(published, error), ours, published - allowed, published + allowed)


def write_verdicts():
    made = [DATA / f"{part}.json" for part in PARTS]
    rows = [row for path in made if path.exists() for row in json.loads(path.read_text())]
    write_table("verdicts", ["result", "source", "published", "flockscope", "verdict"], rows)


# --- the parts

SIZES = {40: 3.1, 100: 5, 400: 10}
LARGE = {4000: 31.6, 10000: 50}


def sizes(of):
    return ";".join(f"{boids},{side}x{side}" for boids, side in of.items())


def vicsek():
    """Figure 2a of Vicsek et al. 1995: φ(η) at ρ = 4."""
    claims = Claims()
    rows = sweep("vicsek-noise", "-p", "vicsek", "--over", f"boids,world={sizes(SIZES)}", "--over", "noise.angle=0:360:15",
                 "--seeds", 5, "--warmup", 3000, "--ticks", 6000)
    # From random headings, large flocks need longer than these runs to order at little noise.
    rows += sweep("vicsek-noise-large", "-p", "vicsek", "--start", "drift", "--over", f"boids,world={sizes(LARGE)}", "--over",
                  "noise.angle=0:300:15", "--seeds", 4, "--warmup", 3000, "--ticks", 3000)
    means = by(rows, "boids", "noise.angle")
    angles = sorted({angle for _, angle in means})
    counts = sorted({boids for boids, _ in means})
    for boids in counts:
        have = [angle for angle in angles if (boids, angle) in means]
        values, errors = zip(*(means[boids, angle] for angle in have))
        plt.errorbar(np.radians(have), values, errors, marker="o", ms=3, lw=1, label=f"N = {boids:.0f}")
    half = np.linspace(1e-6, math.pi, 100)
    plt.plot(2 * half, np.sin(half) / half, "k--", lw=1, label="all-to-all, N → ∞")
    figure("vicsek-noise", "η (rad)", "φ")
    cell = lambda key: "{:.4f} ± {:.4f}".format(*means[key]) if key in means else "–"
    write_table("vicsek", ["η (°)", "η (rad)", *(f"N = {boids:.0f}" for boids in counts)],
                [[f"{a:g}", f"{math.radians(a):.2f}", *(cell((boids, a)) for boids in counts)] for a in angles])
    def half_order(boids, seed):
        """The noise at which φ = 1/2, in radians."""
        of_seed = {row["noise.angle"]: row["polarization"] for row in rows if (row["boids"], row["seed"]) == (boids, seed)}
        # The interpolation needs ascending values.
        return np.interp(-0.5, [-of_seed[angle] for angle in sorted(of_seed)], np.radians(sorted(of_seed)))

    def exponent(seeds):
        """β of φ ∝ (η_c − η)^β for N = 4000, with the η_c that makes the logarithms most linear, as in fig. 3a."""
        order = by([row for row in rows if row["boids"] == 4000 and row["seed"] in seeds], "noise.angle")
        points = [(math.radians(angle), phi) for (angle,), (phi, _) in sorted(order.items()) if 0.3 < phi < 0.95]
        noise, phi = np.array(points).T
        fits = [np.polyfit(np.log(critical - noise), np.log(phi), 1, full=True) for critical in np.arange(noise.max() + 0.02, 6, 0.01)]
        return min(fits, key=lambda fit: fit[1][0])[0][0]

    shift = mean([half_order(40, seed) - half_order(400, seed) for seed in range(1, 6)])
    claims.add("noise at which φ = 1/2, for N = 40 less that for N = 400 (rad)", "Vicsek 1995, fig. 2a", "above 0", shift, 0)
    claims.value("exponent β of φ ∝ (η_c − η)^β, N = 4000", "Vicsek 1995, fig. 3a", 0.45, 0.07, jackknife(exponent, range(1, 5)))
    return claims


def transition():
    """The Binder cumulants of flocks of three sizes, which would cross at a critical noise."""
    side = {400: 10, 1600: 20, 6400: 40}
    rows = sweep("vicsek-transition", "-p", "vicsek", "--start", "drift", "--over", f"boids,world={sizes(side)}", "--over",
                 "noise.angle=130:210:20", "--seeds", 4, "--warmup", 4000, "--ticks", 8000, "--measure",
                 "polarization_squared,polarization_fourth")
    squares, fourths = (by(rows, "boids", "noise.angle", value=f"polarization_{power}") for power in ("squared", "fourth"))
    angles = sorted({angle for _, angle in squares})
    for boids in side:
        cumulants = [1 - fourths[boids, angle][0] / (3 * squares[boids, angle][0] ** 2) for angle in angles]
        plt.plot(np.radians(angles), cumulants, "o-", ms=3, lw=1, label=f"N = {boids}")
    figure("vicsek-transition", "η (rad)", "Binder cumulant")
    return Claims()


def density():
    """Figure 2b: φ(ρ) in a world of 20 by 20."""
    claims = Claims()
    rows = sweep("vicsek-density", "-p", "vicsek", "--world", "20x20", "--set", "noise.angle=115", "--over",
                 "boids=40,100,200,400,800,1600,3200", "--seeds", 5, "--warmup", 4000, "--ticks", 4000)
    means = by(rows, "density")
    densities = sorted(density for density, in means)
    values, errors = zip(*(means[density,] for density in densities))
    plt.errorbar(densities, values, errors, marker="o", ms=3, lw=1)
    figure("vicsek-density", "ρ (boids per u²)", "φ")
    write_table("density", ["ρ", "φ"], [[f"{density:g}", "{:.3f} ± {:.3f}".format(*means[density,])] for density in densities])
    rise = values[-1] - values[0]
    claims.add("φ at ρ = 8 less φ at ρ = 0.1, η = 2", "Vicsek 1995, fig. 2b", "above 0", (rise, math.hypot(errors[0], errors[-1])), 0)
    return claims


def fluctuations():
    """Number fluctuations in the ordered phase (Chaté et al. 2008)."""
    claims = Claims()
    options = ["-p", "vicsek", "-n", 8192, "--world", "64x64", "--set", "speed.max=0.5", "--set", "noise.angle=90", "--set",
               "vicsek.move=new"]
    rows = sweep("number-fluctuations", *options, "--seeds", 4, "--warmup", 10000, "--ticks", 5000, "--measure",
                 "fluctuation_exponent")
    table = curve("number_fluctuations", "number-fluctuations-curve", *options, "-s", 1, "--warmup", 10000, "--ticks", 5000,
                  "--measure-every", 10)
    n, deviation = np.array([[row["mean"], row["deviation"]] for row in table]).T
    plt.loglog(n, deviation, "o-", ms=3, lw=1, label="Vicsek model, η = 90°")
    plt.loglog(n, n ** 0.5, "k--", lw=1, label="independent boids, n^(1/2)")
    figure("number-fluctuations", "n", "Δn")
    exponent = mean([row["fluctuation_exponent"] for row in rows])
    claims.add("exponent α of number fluctuations, N = 8192, ρ = 2", "Chaté 2008", "about 0.8", exponent, 0.75, 0.85)
    return claims


def bands():
    """The density of the preset `bands` along its mean heading (Grégoire & Chaté 2004)."""
    claims = Claims()
    profiles = for_seeds(8, lambda seed: curve("density_profile", f"bands-{seed}", "-p", "bands", "-s", seed, "--warmup", 8000,
                                               "--ticks", 2000, "--measure-every", 10))
    for profile in profiles[:1]:
        plt.step([row["offset"] for row in profile], [row["density"] / 32 for row in profile], where="mid")
    plt.axhline(2, color="k", lw=0.5, ls="--")
    figure("bands", "offset along the heading (u)", "boids per u²")
    peaks = mean([max(row["density"] for row in profile) / 64 for profile in profiles])
    gas = mean([min(row["density"] for row in profile) / 64 for profile in profiles])
    claims.add("largest density of the band, relative to the mean", "Grégoire & Chaté 2004", "above 1", peaks, 1)
    claims.add("density of the gas, relative to the mean", "Grégoire & Chaté 2004", "below 1", gas, -math.inf, 1)
    return claims


STATES = {"swarm": ((0, 0.35), (0, 0.35)), "torus": ((0, 0.35), (0.5, 1)), "dynamic": ((0.8, 1), (0, 0.35)),
          "parallel": ((0.95, 1), (0, 0.2))}


def couzin():
    """The four states of Couzin et al. 2002, and the hysteresis of the torus."""
    claims, lines = Claims(), []
    for state, ranges in STATES.items():
        rows = sweep(f"couzin-{state}", "-p", f"couzin-{state}", "--seeds", 8, "--warmup", 3000, "--ticks", 3000,
                     "--measure", "largest_polarization,largest_rotation,nearest_neighbor,flocks")
        p, m, d = (mean([row[key] for row in rows]) for key in ("largest_polarization", "largest_rotation", "nearest_neighbor"))
        together = sum(row["flocks"] == 1 for row in rows)
        lines.append([state, "{:.4f} ± {:.4f}".format(*p), "{:.3f} ± {:.3f}".format(*m), "{:.2f} ± {:.2f}".format(*d),
                      f"{together} of {len(rows)}"])
        for name, ours, (low, high) in (("polarization", p, ranges[0]), ("rotation", m, ranges[1])):
            claims.add(f"{name} of {state}", "Couzin 2002, states", f"{low:g} to {high:g}", ours, low, high)
    write_table("couzin", ["state", "p (polarization)", "m (rotation)", "nearest neighbor (u)", "runs in one group"], lines)

    rows = sweep("couzin-hysteresis", "-p", "couzin-torus", "--ramp", "couzin.orientation=0:8:0.25", "--hold", 2000,
                 "--seeds", 6, "--measure", "polarization,rotation,flocks")
    for direction, style in (("up", "o-"), ("down", "s--")):
        part = [row for row in rows if row["direction"] == direction]
        for measure, color in (("polarization", "C0"), ("rotation", "C1")):
            means = by(part, "couzin.orientation", value=measure)
            widths = sorted(width for width, in means)
            plt.plot(widths, [means[width,][0] for width in widths], style, ms=3, lw=1, color=color,
                     label=f"{measure}, Δr_o {'raised' if direction == 'up' else 'lowered'}")
    figure("couzin-hysteresis", "Δr_o (u)", "p, m")
    at = lambda direction: {row["seed"]: row["rotation"] for row in rows
                            if row["direction"] == direction and row["couzin.orientation"] == 2}
    raised, lowered = at("up"), at("down")
    claims.add("rotation at Δr_o = 2, raised less lowered", "Couzin 2002, collective memory", "above 0",
               mean([raised[seed] - lowered[seed] for seed in raised]), 0)
    return claims


def sorting():
    """Individual speeds sort a group (Couzin et al. 2002)."""
    claims = Claims()

    def correlation(seed):
        rows = run(f"sorting-{seed}", "-p", "couzin-dynamic", "-s", seed, "--ticks", 6000, "--every", 500, "--set",
                   "variation.speed=0.1")
        found = []
        for tick in range(2000, 6001, 500):
            a = np.array([[row[key] for key in ("x", "y", "z", "vx", "vy", "vz")] for row in rows if row["tick"] == tick])
            speed = np.linalg.norm(a[:, 3:], axis=1)
            ahead = a[:, :3] @ (a[:, 3:] / speed[:, None]).mean(axis=0)
            rank = lambda values: values.argsort().argsort()
            found.append(np.corrcoef(rank(speed), rank(ahead))[0, 1])
        return np.mean(found)

    claims.add("rank correlation of a boid's speed and its place along the heading", "Couzin 2002, sorting", "above 0",
               mean(for_seeds(12, correlation)), 0)
    return claims


def starlings():
    """Correlation length of velocity fluctuations against the size of the flock (Cavagna et al. 2010)."""
    claims, points, lines = Claims(), [], []
    for boids in (125, 250, 500, 1000, 2000):
        def lengths(seed):
            rows = run(f"correlation-{boids}-{seed}", "-p", "starlings", "--predators", 0, "-n", boids, "-s", seed, "--warmup",
                       1500, "--ticks", 1500, "--measure-every", 100, "--measure",
                       "correlation_length,diameter,largest_polarization,largest_flock", flag="--measures")
            return [(row["diameter"], row["correlation_length"]) for row in rows
                    if row["largest_polarization"] > 0.9 and row["largest_flock"] >= 50]
        seeds = [np.mean(found, axis=0) for found in for_seeds(12, lengths) if found]
        points += [point for point in seeds]
        if len(seeds) > 1:
            diameter, length = np.array(seeds).T
            cells = [mean(diameter), mean(length), mean(length / diameter)]
            lines.append([str(boids), "{:.0f} ± {:.0f}".format(*cells[0]), "{:.1f} ± {:.1f}".format(*cells[1]),
                          "{:.3f} ± {:.3f}".format(*cells[2])])
    diameter, length = np.array(points).T
    plt.loglog(diameter, length, "o", ms=3)
    slope, offset = np.polyfit(np.log(diameter), np.log(length), 1)
    line = np.array([diameter.min(), diameter.max()])
    plt.loglog(line, np.exp(offset) * line ** slope, "k--", lw=1, label=f"slope {slope:.2f}")
    figure("starlings-correlation", "diameter of the largest flock (u)", "correlation length (u)")
    write_table("correlation", ["N", "diameter (u)", "correlation length ξ (u)", "ξ / diameter"], lines)
    fits = [np.polyfit(np.log(np.delete(diameter, at)), np.log(np.delete(length, at)), 1)[0] for at in range(len(points))]
    error = math.sqrt((len(fits) - 1) * np.var(fits))
    claims.add("slope of ln ξ over ln L in `starlings`", "Cavagna 2010", "1 (proportional)", (slope, error), 1, 1)
    claims.add("ξ / L in `starlings`", "Cavagna 2010", "0.35", mean(length / diameter), 0.35, 0.35)
    return claims


AXES = ("axis_1", "axis_2", "axis_3")


def largest_group(x, radius):
    """The largest group in which each bird is within `radius` of another."""
    pairs = cKDTree(x).query_pairs(radius, output_type="ndarray")
    label = np.arange(len(x))
    while True:
        low = np.minimum(label[pairs[:, 0]], label[pairs[:, 1]])
        new = label.copy()
        np.minimum.at(new, pairs[:, 0], low)
        np.minimum.at(new, pairs[:, 1], low)
        if (new == label).all():
            return label == np.bincount(label).argmax()
        label = new


def inscribed_diameter(points):
    """The diameter of the largest ball, or circle, in the convex hull."""
    planes = ConvexHull(points).equations
    normals, offsets = planes[:, :-1], planes[:, -1]
    limits = np.hstack([normals, np.linalg.norm(normals, axis=1)[:, None]])
    cost = np.zeros(limits.shape[1])
    cost[-1] = -1
    return -2 * linprog(cost, A_ub=limits, b_ub=-offsets, bounds=[(None, None)] * (len(cost) - 1) + [(0, None)]).fun


def field_axes(x):
    """The axes as in the field study: the thickness is the diameter of the largest ball in the flock, the second axis that of the
    largest circle in its projection on the plane across the thickness, and the third is the longest extent in that plane."""
    x = x - x.mean(axis=0)
    _, vectors = np.linalg.eigh(np.cov(x.T))
    flat = x @ vectors[:, 1:]
    hull = flat[ConvexHull(flat).vertices]
    longest = np.sqrt(((hull[:, None] - hull[None]) ** 2).sum(axis=2)).max()
    return np.array([longest, inscribed_diameter(flat), inscribed_diameter(x)])


def states(name, *options):
    """The prey that a run of the preset `stardisplay` writes: an array of id, x, y, z and mood for each tick."""
    ticks = defaultdict(list)
    for row in run(name, "-p", "stardisplay", *options):
        if row["kind"] == "prey":
            ticks[row["tick"]].append([row[key] for key in ("id", "x", "y", "z", "mood")])
    return {tick: np.array(rows) for tick, rows in ticks.items()}


def wave_speed(seed):
    """The speed of the wave relative to the flock, in u/s, from a slow falcon at its side. Nothing flees."""
    path = DATA / f"wave-start-{seed}.csv"
    options = ["-s", seed, "--ticks", 120]
    flockscope("run", "-p", "stardisplay", *options, "--predators", 0, "--every", 120, "-o", path)
    lines = path.read_text().splitlines()
    rows = [line.split(",") for line in lines[1:] if line.startswith("120,")]
    end = max(rows, key=lambda row: float(row[3]))
    falcon = ["120", "3000", "predator", str(float(end[3]) + 6), *end[4:6], "0", "0", "0", "0", "0"]
    path.write_text("\n".join([lines[0], *(",".join(row) for row in [*rows, falcon])]) + "\n")
    ticks = states(f"wave-{seed}", *options, "--input", path, "--set", "hunt.speed=0.01", "--set", "flee.weight=0")
    # The distance of a bird at the start, so that the flight of the flock does not count.
    distance = np.linalg.norm(ticks[120][:, 1:4] - np.array(falcon[3:6], float), axis=1)
    front = np.array([distance[ticks[tick][:, 4] > 0].max(initial=0) for tick in sorted(ticks)])
    rising = (front > 10) & (front < 0.9 * distance.max())
    return 60 * np.polyfit(np.flatnonzero(rising), front[rising], 1)[0]


def murmuration():
    """Shape, order, anisotropy and waves of the preset `stardisplay` (Hildenbrandt et al. 2010, Hemelrijk et al. 2015)."""
    claims = Claims()
    roosts = {"preset": [], "published roost": ["--set", "stardisplay.roost=150", "--set", "stardisplay.pull=0.01"]}
    names = ["largest_flock", "largest_polarization", "nearest_neighbor", "anisotropy", *AXES]
    found = {}
    for roost, options in roosts.items():
        def medians(seed):
            measured = [*options, "-s", seed, "--ticks", 6000, "--group-radius", 6]
            rows = run(f"murmuration-{seed}", "-p", "stardisplay", *measured, "--warmup", 0, "--measure-every", 250, "--every", 500,
                       "-o", DATA / f"murmuration-states-{seed}.csv", "--measure", ",".join(names), flag="--measures")
            rows = [row for row in rows if row["tick"] >= 1000]
            values = {name: np.median([row[name] for row in rows]) for name in names}
            ticks = defaultdict(list)
            for row in read(DATA / f"murmuration-states-{seed}.csv"):
                if row["tick"] >= 1000 and row["kind"] == "prey":
                    ticks[row["tick"]].append([row["x"], row["y"], row["z"]])
            axes = np.median([field_axes(x[largest_group(x, 6)]) for x in map(np.array, ticks.values())], axis=0)
            longest, middle, shortest = (values[axis] for axis in AXES)
            return {"share of the largest flock": values["largest_flock"] / 3000,
                    "polarization in it": values["largest_polarization"],
                    "distance to the nearest bird (m)": values["nearest_neighbor"],
                    "anisotropy γ(1)": values["anisotropy"],
                    "middle / shortest axis, standard deviations": middle / shortest,
                    "longest / shortest axis, standard deviations": longest / shortest,
                    "middle / shortest axis, as in the field study": axes[1] / axes[2],
                    "longest / shortest axis, as in the field study": axes[0] / axes[2]}
        seeds = for_seeds(5, medians)
        found[roost] = {name: mean([values[name] for values in seeds]) for name in seeds[0]}
    cell = lambda ours: "{:.2f} ± {:.2f}".format(*ours)
    write_table("murmuration", ["", *roosts], [[name, *(cell(found[roost][name]) for roost in roosts)] for name in found["preset"]])

    ballerini = "Ballerini 2008"
    ours = found["published roost"]
    claims.add("polarization", ballerini, "above 0.9", ours["polarization in it"], 0.9)
    claims.add("distance to the nearest bird (m)", ballerini, "0.7 to 1.5", ours["distance to the nearest bird (m)"], 0.7, 1.5)
    claims.add("middle / shortest axis", ballerini, "2.8", ours["middle / shortest axis, as in the field study"], 2.8, 2.8)
    claims.add("longest / shortest axis", ballerini, "5.6", ours["longest / shortest axis, as in the field study"], 5.6, 5.6)
    claims.add("anisotropy γ(1)", ballerini, "about 0.8", ours["anisotropy γ(1)"], 0.7, 0.9)

    curves = for_seeds(4, lambda seed: curve("anisotropy", f"anisotropy-{seed}", "-p", "stardisplay", *roosts["published roost"], "-s",
                                             seed, "--warmup", 1000, "--ticks", 5000, "--measure-every", 100, "--group-radius", 6))
    gamma = np.array([[row["gamma"] for row in rows] for rows in curves])
    plt.errorbar(range(1, 21), gamma.mean(axis=0), gamma.std(axis=0, ddof=1) / 2, marker="o", ms=3, lw=1)
    plt.axhline(1 / 3, color="k", lw=0.5, ls="--")
    figure("anisotropy", "rank n of the neighbor", "γ(n)")
    claims.add("mean γ(n) of the 8th to the 15th neighbor", ballerini, "1/3 (isotropic)", mean(gamma[:, 7:15].mean(axis=1)),
               1 / 3, 1 / 3)
    claims.add("speed of the wave of escape (m/s)", "Procaccini 2011", "about 13", mean(for_seeds(5, wave_speed)), 12, 14)
    return claims


PARTS = ["vicsek", "transition", "density", "fluctuations", "bands", "couzin", "sorting", "starlings", "murmuration"]


def main():
    DATA.mkdir(parents=True, exist_ok=True)
    plt.rcParams.update({"figure.figsize": (5, 3.4), "svg.hashsalt": "flockscope", "font.size": 9})
    for part in sys.argv[1:] or PARTS:
        start = time.monotonic()
        claims = globals()[part]()
        (DATA / f"{part}.json").write_text(json.dumps(claims))
        print(f"{part}: {time.monotonic() - start:.0f} s")
        for claim, _, published, ours, verdict in claims:
            print(f"  {claim}: {ours}, published {published}: {verdict}")
    write_verdicts()


main()
