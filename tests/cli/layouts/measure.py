"""Polarization, mean speed and distance to the nearest neighbor of each frame, in place of the reader and the estimators of the program.

python3 measure.py LAYOUT FILE… prints `frame,polarization,mean_speed,nearest_neighbor`, with frames as they are counted in the file.
"""

import csv
import math
import sys
from datetime import datetime

import numpy as np


def rows(path):
    return list(csv.DictReader(open(path)))


def dlc(path):
    lines = list(csv.reader(open(path)))
    for line in lines[4:]:
        for animal, column in (("ind1", 1), ("ind2", 7)):
            if float(line[column + 2]) >= 0.6:
                yield int(line[0]), animal, float(line[column]), float(line[column + 1])


def lammps(path):
    lines = open(path).read().split("ITEM: ")
    step = None
    for item in lines:
        if item.startswith("TIMESTEP"):
            step = int(item.split()[1])
        if item.startswith("ATOMS"):
            for atom in item.splitlines()[1:]:
                number, _, x, y, _ = atom.split()
                yield step, number, float(x), float(y)


def seconds(row):
    return datetime.fromisoformat(row["date"] + " " + row["time"].zfill(8)).timestamp()


def tracks(layout, paths):
    """Frame or time, animal, x and y of each row."""
    path = paths[0]
    if layout == "dlc":
        return list(dlc(path))
    if layout == "lammps":
        return list(lammps(path))
    if layout == "gps":
        return [(seconds(row), path, float(row["lon"]), float(row["lat"])) for path in paths for row in rows(path)]
    if layout == "idtracker":
        found = [(row["seconds"], n, row[f"x{n}"], row[f"y{n}"]) for row in rows(path) for n in "1234"]
        return [(float(t), n, float(x), float(y)) for t, n, x, y in found]
    if layout == "movebank":
        return [
            (
                datetime.fromisoformat(row["timestamp"]).timestamp(),
                row["individual-local-identifier"],
                float(row["location-long"]),
                float(row["location-lat"]),
            )
            for row in rows(path)
        ]
    if layout == "obsmat":
        lines = [[float(number) for number in line.split()] for line in open(path)]
        return [(line[0], line[1], line[2], line[4]) for line in lines]
    if layout == "sleap":
        return [(int(row["frame_idx"]), row["track"], float(row["nose.x"]), float(row["nose.y"])) for row in rows(path)]
    if layout == "trackmate":
        return [
            (int(row["FRAME"]), row["TRACK_ID"], float(row["POSITION_X"]), float(row["POSITION_Y"]))
            for row in rows(path)[3:]
            if row["TRACK_ID"] not in ("", "None")
        ]
    if layout == "video":
        return [(int(row["frame"]), row["track_fixed"], float(row["x"]), float(row["y"])) for row in rows(path)]
    raise SystemExit(f"unknown layout {layout}")


def meters(found):
    """Transverse Mercator around the middle, by the exact distance along the meridian and a series in longitude."""
    a, f = 6378137.0, 1 / 298.257223563
    e2 = f * (2 - f)
    middle = [(min(values) + max(values)) / 2 for values in zip(*[(row[2], row[3]) for row in found])]

    def meridian(latitude):
        def density(angle):
            return a * (1 - e2) / (1 - e2 * math.sin(angle) ** 2) ** 1.5

        # Simpson's rule on a short arc from the middle.
        begin, end, n = math.radians(middle[1]), math.radians(latitude), 200
        h = (end - begin) / n
        total = density(begin) + density(end)
        total += sum((4 if k % 2 else 2) * density(begin + k * h) for k in range(1, n))
        return total * h / 3

    for frame, animal, longitude, latitude in found:
        phi, away = math.radians(latitude), math.radians(longitude - middle[0])
        n = a / math.sqrt(1 - e2 * math.sin(phi) ** 2)
        t, c, along = math.tan(phi) ** 2, e2 / (1 - e2) * math.cos(phi) ** 2, away * math.cos(phi)
        east = n * (along + (1 - t + c) * along**3 / 6 + (5 - 18 * t + t * t + 72 * c) * along**5 / 120)
        north = meridian(latitude) + n * math.tan(phi) * (along**2 / 2 + (5 - t + 9 * c) * along**4 / 24)
        yield frame, animal, east, north


def main():
    layout, paths = sys.argv[1], sys.argv[2:]
    found = tracks(layout, paths)
    if layout in ("gps", "movebank"):
        found = list(meters(found))
    times = sorted({row[0] for row in found})
    # The files have a row of each animal in each frame, but for unlikely positions.
    step = min(b - a for a, b in zip(times, times[1:]))
    per_frame = step if layout in ("gps", "idtracker", "movebank") else 1
    animals = {}
    for time, animal, x, y in found:
        animals.setdefault(animal, {})[round((time - times[0]) / step)] = np.array([x, y])
    print("frame,polarization,mean_speed,nearest_neighbor")
    for frame in range(round((times[-1] - times[0]) / step) + 1):
        velocities, positions = [], []
        for track in animals.values():
            if frame not in track:
                continue
            known = sorted(track)
            at = known.index(frame)
            steps = [(known[k - 1], known[k]) for k in (at, at + 1) if 0 < k < len(known)]
            near = [pair for pair in steps if pair[1] - pair[0] == 1] or steps
            slopes = [(track[b] - track[a]) / (b - a) / (step / per_frame) for a, b in near]
            velocities.append(np.mean(slopes, axis=0))
            positions.append(track[frame])
        if not positions:
            continue
        v, x = np.array(velocities), np.array(positions)
        speed = np.linalg.norm(v, axis=1)
        polarization = np.linalg.norm((v / speed[:, None]).mean(axis=0))
        distance = np.linalg.norm(x[:, None] - x, axis=2)
        np.fill_diagonal(distance, np.inf)
        nearest = distance.min(axis=1).mean() if len(x) > 1 else math.nan
        print(frame, polarization, speed.mean(), nearest, sep=",")


main()
