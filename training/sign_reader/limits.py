"""Limit and end-of-limit signs, drawn."""
import numpy as np

from . import fonts
from .drawing import Pen, ink, red, white, yellow
from .labels import END, END_ALL, END_VALUES, PLATE_KMH, PLATE_KMH_VALUES, PLATE_MPH, PLATE_MPH_VALUES, ROUND, ROUND_VALUES, Label


def pick(rng, values) -> int:
    """One of `values`; whole tens up to 130 three times as often, odd ones above 100 seldom."""
    shares = np.array([3.0 if v % 10 == 0 and v <= 130 else 0.4 if v > 100 else 1.0 for v in values])
    return int(rng.choice(values, p=shares / shares.sum()))


def _weight(rng):
    return int(rng.choice([0, 0, 0, 1, 2, 4]))


def digits_box(rng, text: str, top=0.27, bottom=0.73, widest=0.62):
    """Where the number of a round sign stands, jittered; three digits need the room that two leave."""
    height = (bottom - top) * rng.uniform(0.82, 1.15)
    width = {1: 0.40, 2: widest * rng.uniform(0.88, 1.08), 3: widest * rng.uniform(1.02, 1.16)}[len(text)]
    if len(text) == 3:
        height *= rng.uniform(0.75, 0.95)
    x, y = 0.5 + rng.normal(0, 0.008), (top + bottom) / 2 + rng.normal(0, 0.012)
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def ring(pen: Pen, rng, face_colour, ring_colour, width: float):
    """The ring of a prohibition: rim, ring, face."""
    if rng.random() < 0.45:
        pen.disc(0.5, white(rng) if rng.random() < 0.7 else ink(rng, 60, 120))
        pen.disc(0.5 - rng.uniform(0.008, 0.03), ring_colour)
    else:
        pen.disc(0.5, ring_colour)
    pen.disc(0.5 - width, face_colour)


def round_limit(rng, faces, text: str | None = None) -> tuple[Pen, Label]:
    """A round limit, red ring; `text` overrides the value (for numbers that are no limit)."""
    value = pick(rng, ROUND_VALUES)
    words = text or str(value)
    pen = Pen(rng, face=str(rng.choice(faces)))
    label = Label(ROUND, value)
    if rng.random() < 0.10:
        _lamp_limit(pen, rng, words)
        return pen, label
    face = yellow(rng) if rng.random() < 0.10 else white(rng)
    if rng.random() < 0.10:  # on a board: zone signs, gantries
        pen.plate(white(rng) if rng.random() < 0.6 else (yellow(rng) if rng.random() < 0.5 else ink(rng)), rounding=0.03)
        ring(pen, rng, face, red(rng), rng.uniform(0.075, 0.14))
    else:
        ring(pen, rng, face, red(rng), rng.uniform(0.065, 0.155))
    colour = (20, 30, int(rng.integers(90, 170)), 255) if rng.random() < 0.07 else ink(rng, 5, 75)
    box = digits_box(rng, words)
    if rng.random() < 0.05:
        box = (box[0], box[1] - 0.06, box[2], box[3] - 0.08)
        pen.text(str(rng.choice(["km/h", "km", "KM/H", "mph"])), (0.36, 0.68, 0.64, 0.76), colour)
    pen.text(words, box, colour, (0.6, rng.uniform(0.9, 1.25)), _weight(rng))
    return pen, label


def _lamp_limit(pen: Pen, rng, words: str):
    """A lamp matrix: ring of red lamps, lit digits on black."""
    dark = ink(rng, 0, 40)
    pen.plate(dark, rounding=float(rng.uniform(0, 0.1))) if rng.random() < 0.7 else pen.disc(0.5, dark)
    ring_colour = (int(rng.integers(190, 256)), int(rng.integers(0, 70)), int(rng.integers(0, 60)), 255)
    radius = rng.uniform(0.42, 0.49)
    pen.disc(radius, ring_colour)
    pen.disc(radius - rng.uniform(0.04, 0.10), dark)
    lit = (int(rng.integers(220, 256)),) * 3 + (255,) if rng.random() < 0.6 else (255, int(rng.integers(170, 230)), int(rng.integers(40, 110)), 255)
    pen.text(words, digits_box(rng, words), lit, (0.6, 1.1))
    if rng.random() < 0.8:
        pen.led(int(rng.integers(5, 10)))


def end_of_limit(rng, faces) -> tuple[Pen, Label]:
    """End of a limit: pale number under one bar or several strokes."""
    value = pick(rng, END_VALUES)
    pen = Pen(rng, face=str(rng.choice(faces)))
    board_of_end(pen, rng)
    grey = ink(rng, 10, 60) if rng.random() < 0.45 else ink(rng, 80, 160)
    pen.text(str(value), digits_box(rng, str(value)), grey, (0.6, 1.15), _weight(rng))
    strokes(pen, rng)
    return pen, Label(END, value)


def end_of_all(rng, faces) -> tuple[Pen, Label]:
    """End of all limits: strokes alone."""
    pen = Pen(rng)
    board_of_end(pen, rng)
    strokes(pen, rng)
    return pen, Label(END_ALL)


def board_of_end(pen: Pen, rng):
    """The white face of an end sign with its dark or pale border."""
    pen.disc(0.5, white(rng) if rng.random() < 0.5 else ink(rng, 30, 110))
    if rng.random() < 0.45:
        pen.disc(0.49, white(rng))
        pen.disc(0.47, ink(rng, 20, 90))
        pen.disc(0.47 - rng.uniform(0.008, 0.07), white(rng))
    else:
        pen.disc(0.48, yellow(rng) if rng.random() < 0.06 else white(rng))


def strokes(pen: Pen, rng):
    """Strokes from lower left to upper right; a few countries mirror them, some paint them red."""
    colour = red(rng) if rng.random() < 0.12 else ink(rng, 5, 90)
    angle = np.deg2rad(rng.uniform(35, 58)) * (-1 if rng.random() < 0.08 else 1)
    direction, normal = np.array([np.cos(angle), -np.sin(angle)]), np.array([np.sin(angle), np.cos(angle)])
    count = int(rng.choice([1, 1, 3, 4, 5, 5, 6]))
    width = rng.uniform(0.05, 0.14) if count == 1 else rng.uniform(0.012, 0.03)
    gap = width + rng.uniform(0.012, 0.035)
    for i in range(count):
        offset = (i - (count - 1) / 2) * gap
        middle = np.array([0.5, 0.5]) + normal * offset
        half = np.sqrt(max(0.01, 0.46**2 - offset**2))
        pen.line(middle - direction * half, middle + direction * half, width, colour)


def _plate(rng, faces, background=None):
    aspect = float(rng.uniform(0.68, 0.88))
    pen = Pen(rng, aspect, str(rng.choice(faces)))
    face, edge = background or white(rng), ink(rng, 5, 50)
    rounding = float(rng.uniform(0.03, 0.1))
    pen.plate(face, 0, rounding)
    if rng.random() < 0.88:
        inset = float(rng.uniform(0.012, 0.04))
        pen.plate(edge, inset, rounding)
        pen.plate(face, inset + float(rng.uniform(0.008, 0.03)), rounding)
    return pen, face, edge


def mph_plate(rng, faces, number: str | None = None, head: tuple[str, str] = ("SPEED", "LIMIT")) -> tuple[Pen, Label]:
    """A US plate: SPEED LIMIT over the number, in the layouts that stand at the roads; `number` overrides the value, `head` the words."""
    value = int(rng.choice(PLATE_MPH_VALUES))
    words = number or str(value)
    style = rng.random()
    background = (yellow(rng) if rng.random() < 0.5 else (255, int(rng.integers(110, 150)), 20, 255)) if style > 0.95 else None
    pen, face, edge = _plate(rng, faces, background)
    heavy = int(rng.choice([0, 0, 0, 2, 3]))
    top = rng.uniform(0.06, 0.10)
    last = rng.uniform(0.90, 0.95)
    below = None
    if style < 0.12:
        below = str(rng.choice(["MPH", "WHEN FLASHING", "WHEN CHILDREN ARE PRESENT", "MINIMUM 45", "7-9 AM 2-4 PM", "RADAR ENFORCED", "PHOTO ENFORCED"]))
        last -= rng.uniform(0.10, 0.17)
    if style > 0.88 and style < 0.95:
        pen.polygon([(0, 0), (1, 0), (1, 0.17), (0, 0.17)], yellow(rng))
        pen.text(str(rng.choice(["SCHOOL", "WORK ZONE", "REDUCED", "TOWN"])), (0.1, 0.04, 0.9, 0.14), edge)
        top = 0.21
    span = (last - top) * rng.uniform(0.44, 0.54)
    line = span * rng.uniform(0.36, 0.43)
    margin = rng.uniform(0.10, 0.2)
    pen.text(head[0], (margin, top, 1 - margin, top + line), edge, (0.55, 1.2), heavy)
    if rng.random() < 0.88 or head[1] != "LIMIT":
        pen.text(head[1], (margin + 0.03, top + span - line, 0.97 - margin, top + span), edge, (0.55, 1.2), heavy)
    else:  # Oregon leaves the second word out
        span = line
    number_top = top + span + (last - top) * rng.uniform(0.05, 0.11)
    number_colour = edge
    if rng.random() < 0.14:  # lamps in the plate
        pen.polygon([(0.1, number_top - 0.02), (0.9, number_top - 0.02), (0.9, last + 0.02), (0.1, last + 0.02)], ink(rng, 0, 40))
        number_colour = (255, int(rng.integers(160, 255)), int(rng.integers(40, 200)), 255)
    pen.text(words, (rng.uniform(0.1, 0.2), number_top, rng.uniform(0.8, 0.9), last), number_colour, (0.6, rng.uniform(0.95, 1.35)), heavy + int(rng.integers(0, 3)))
    if below:
        parts = below.split()
        rows = [below] if len(parts) < 3 else [" ".join(parts[:2]), " ".join(parts[2:])]
        step = (0.96 - last) / len(rows)
        for i, row in enumerate(rows):
            pen.text(row, (0.1, last + 0.03 + i * step * 0.9, 0.9, last + 0.03 + (i + 0.75) * step * 0.9), edge)
    return pen, Label(PLATE_MPH, value)


def kmh_plate(rng, faces) -> tuple[Pen, Label]:
    """A Canadian plate: MAXIMUM over the number, mostly km/h under it."""
    value = pick(rng, PLATE_KMH_VALUES)
    pen, face, edge = _plate(rng, faces)
    top = rng.uniform(0.07, 0.12)
    line = rng.uniform(0.10, 0.16)
    pen.text(str(rng.choice(["MAXIMUM", "MAXIMUM", "MAXIMUM", "MAXIMUM", "MAX"])), (0.1, top, 0.9, top + line), edge, (0.55, 1.3))
    with_unit = rng.random() < 0.6
    last = rng.uniform(0.68, 0.78) if with_unit else rng.uniform(0.85, 0.93)
    pen.text(str(value), (rng.uniform(0.07, 0.16), top + line + rng.uniform(0.05, 0.1), rng.uniform(0.84, 0.93), last), edge, (0.6, 1.3), int(rng.integers(0, 4)))
    if with_unit:
        pen.text(str(rng.choice(["km/h", "km/h", "KM/H"])), (0.25, last + 0.05, 0.75, rng.uniform(0.88, 0.94)), edge)
    return pen, Label(PLATE_KMH, value)
