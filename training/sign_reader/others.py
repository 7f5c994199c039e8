"""Signs and things that look like a limit and are none, drawn."""
import numpy as np

from .drawing import Pen, any_colour, blue, green, ink, red, white, yellow
from .labels import OTHER, Label
from .limits import _plate, digits_box, mph_plate, ring, round_limit, strokes


def _red_ring(rng, faces) -> Pen:
    pen = Pen(rng, face=str(rng.choice(faces)))
    ring(pen, rng, yellow(rng) if rng.random() < 0.08 else white(rng), red(rng), rng.uniform(0.07, 0.15))
    return pen


def measure(rng, faces) -> Pen:
    """A weight, height, width, length or distance limit: a number with its unit, or between arrowheads."""
    pen, dark = _red_ring(rng, faces), ink(rng, 5, 70)
    whole, tenth = int(rng.integers(1, 60)), int(rng.integers(0, 10))
    round_number = str(int(rng.choice([5, 10, 15, 20, 20, 25, 30, 30, 35, 40, 50, 55, 60])))
    number = str(rng.choice([f"{whole}", f"{min(whole, 15)}.{tenth}", f"{min(whole, 15)},{tenth}", round_number, round_number, round_number]))
    kind = rng.random()
    if kind < 0.6:
        unit = str(rng.choice(["t", "t", "t", "t", "T", "m", "to"]))
        if rng.random() < 0.4:
            pen.text(number + unit, digits_box(rng, "100"), dark, (0.6, 1.1))
        else:  # a big number and a small unit at its foot
            width = 0.40 if len(number) < 3 else 0.5
            size = rng.uniform(0.16, 0.22)
            left = 0.5 - (width + size * 0.7) / 2
            pen.text(number, (left, 0.5 - size, left + width, 0.5 + size), dark, (0.6, 1.1))
            pen.text(unit, (left + width + 0.01, 0.5 + size * rng.uniform(-0.3, 0.1), left + width + size * 0.75, 0.5 + size), dark)
        if rng.random() < 0.25:  # axle
            pen.line((0.3, 0.78), (0.7, 0.78), 0.025, dark)
            pen.disc(0.05, dark, (0.33, 0.78)), pen.disc(0.05, dark, (0.67, 0.78))
    else:
        unit = str(rng.choice(["m", "m", "", "'", "ft", "M"]))
        pen.text(number + unit, (0.22, 0.37, 0.78, 0.63), dark, (0.6, 1.1))
        a, b = rng.uniform(0.14, 0.2), rng.uniform(0.26, 0.33)
        half = rng.uniform(0.08, 0.2)
        if rng.random() < 0.6:
            pen.polygon([(0.5 - half, a), (0.5 + half, a), (0.5, b)], dark), pen.polygon([(0.5 - half, 1 - a), (0.5 + half, 1 - a), (0.5, 1 - b)], dark)
        else:
            pen.polygon([(a, 0.5 - half), (a, 0.5 + half), (b, 0.5)], dark), pen.polygon([(1 - a, 0.5 - half), (1 - a, 0.5 + half), (1 - b, 0.5)], dark)
    return pen


def pictogram(rng, faces) -> Pen:
    """A prohibition with a picture or a word; may be struck through."""
    pen, dark = _red_ring(rng, faces), ink(rng, 5, 70)
    style = rng.random()
    if style < 0.15:
        pass
    elif style < 0.30:
        pen.text(str(rng.choice(["STOP", "ZOLL", "TAXI", "BUS", "P", "ZONE", "TOLL", "POLICE", "A", "H", "GO", "SOS", "OO", "OI"])), digits_box(rng, "100"), dark)
    else:
        for _ in range(int(rng.integers(1, 5))):
            shape = rng.random()
            x, y, w, h = rng.uniform(0.25, 0.6), rng.uniform(0.25, 0.6), rng.uniform(0.1, 0.35), rng.uniform(0.08, 0.3)
            colour = red(rng) if rng.random() < 0.2 else dark
            if shape < 0.35:
                pen.polygon([(x, y), (x + w, y), (x + w, y + h), (x, y + h)], colour)
            elif shape < 0.6:
                pen.disc(rng.uniform(0.04, 0.12), colour, (x, y))
            elif shape < 0.8:
                pen.line((x, y), (rng.uniform(0.25, 0.75), rng.uniform(0.25, 0.75)), rng.uniform(0.03, 0.1), colour)
            else:
                pen.polygon([tuple(rng.uniform(0.25, 0.75, 2)) for _ in range(3)], colour)
    if rng.random() < 0.3:
        pen.line((0.18, 0.18), (0.82, 0.82), rng.uniform(0.05, 0.12), red(rng))
    return pen


def odd_number(rng, faces) -> Pen:
    """A red ring or a US plate with a number that is no limit anywhere."""
    if rng.random() < 0.8:
        number = int(rng.choice([n for n in range(1, 160) if n % 5 and n not in (1, 11)] + [145, 150, 160, 200, 300, 500]))
        return round_limit(rng, faces, str(number))[0]
    return mph_plate(rng, faces, str(int(rng.choice([n for n in range(1, 99) if n % 5] + [90, 95]))))[0]


def minimum_speed(rng, faces) -> Pen:
    """White number on a blue disc (minimum) or a blue board (advice); may be struck through."""
    board = rng.random() < 0.35
    pen = Pen(rng, float(rng.uniform(0.75, 1.2)) if board else 1.0, str(rng.choice(faces)))
    colour = blue(rng) if rng.random() < 0.9 else green(rng)
    if board:
        pen.plate(white(rng)), pen.plate(colour, 0.03)
    else:
        pen.disc(0.5, white(rng)), pen.disc(0.5 - rng.uniform(0.0, 0.04), colour)
    words = str(int(rng.choice(range(10, 140, 5))))
    pen.text(words, digits_box(rng, words), white(rng), (0.6, 1.2))
    if rng.random() < 0.12:
        pen.line((0.2, 0.8), (0.8, 0.2), 0.08, red(rng))
    return pen


def sticker(rng, faces) -> Pen:
    """The number on a lorry's back: a white disc with a thin dark edge, without a red ring."""
    pen = Pen(rng, face=str(rng.choice(faces)))
    if rng.random() < 0.6:
        pen.plate(any_colour(rng) if rng.random() < 0.6 else white(rng), 0, 0.01)
    pen.disc(0.49, ink(rng, 0, 80) if rng.random() < 0.85 else white(rng)), pen.disc(0.49 - rng.uniform(0.008, 0.035), white(rng))
    words = str(int(rng.choice([40, 50, 60, 70, 80, 90, 100, 25, 62, 65])))
    pen.text(words, digits_box(rng, words, 0.25, 0.75, 0.7), ink(rng, 0, 50), (0.6, 1.2))
    return pen


def shield(rng, faces) -> Pen:
    """A route number: US shields and circles, yellow, green and red road numbers."""
    number = str(int(rng.choice([int(rng.integers(1, 100)), int(rng.integers(1, 1000)), int(rng.choice(range(5, 130, 5)))])))
    style = rng.random()
    pen = Pen(rng, 1.0 if style < 0.6 else float(rng.uniform(1.0, 1.9)), str(rng.choice(faces)))
    outline = [(0.1, 0.1), (0.5, 0.03), (0.9, 0.1), (0.97, 0.5), (0.8, 0.8), (0.5, 0.98), (0.2, 0.8), (0.03, 0.5)]
    if style < 0.2:
        pen.polygon(outline, blue(rng)), pen.polygon([(0.1, 0.1), (0.5, 0.03), (0.9, 0.1), (0.93, 0.27), (0.07, 0.27)], red(rng))
        pen.text(number, (0.18, 0.35, 0.82, 0.75), white(rng))
    elif style < 0.45:
        pen.plate(ink(rng), 0, 0.02) if rng.random() < 0.7 else None
        if rng.random() < 0.5:
            pen.polygon(outline, white(rng))
        else:
            pen.disc(0.47, white(rng))
        pen.text(number, (0.15, 0.27, 0.85, 0.73), ink(rng), (0.6, 1.3))
    elif style < 0.6:
        pen.plate(white(rng), 0, 0.05), pen.plate(ink(rng), 0.03, 0.05), pen.plate(white(rng), 0.05, 0.05)
        pen.text(number, (0.12, 0.3, 0.88, 0.75), ink(rng), (0.6, 1.3))
        if rng.random() < 0.5:
            pen.text(str(rng.choice(["UTAH", "TEXAS", "STATE", "COUNTY", "ROUTE", "NORTH", "BUSINESS"])), (0.15, 0.1, 0.85, 0.22), ink(rng))
    else:
        colour = [yellow, green, red, blue][int(rng.integers(0, 4))](rng)
        edge = ink(rng) if colour[0] > 200 else white(rng)
        pen.plate(edge, 0, 0.06), pen.plate(colour, 0.03, 0.06)
        pen.text(str(rng.choice(["", "E ", "A ", "B ", "M", "N", "D"])) + number, (0.08, 0.2, 0.92, 0.8), edge, (0.6, 1.3))
    return pen


def advice(rng, faces) -> Pen:
    """An advisory speed: yellow plate or diamond with a number; exit and ramp speeds."""
    number = str(int(rng.choice(range(5, 90, 5))))
    dark = ink(rng)
    pen = Pen(rng, float(rng.uniform(0.7, 1.1)), str(rng.choice(faces)))
    colour = yellow(rng) if rng.random() < 0.85 else (255, 130, 30, 255)
    if rng.random() < 0.2:
        pen.polygon([(0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5)], dark), pen.polygon([(0.5, 0.03), (0.97, 0.5), (0.5, 0.97), (0.03, 0.5)], colour)
        pen.text(number, (0.25, 0.3, 0.75, 0.7), dark)
        return pen
    pen.plate(dark, 0), pen.plate(colour, 0.02)
    style = rng.random()
    if style < 0.5:
        pen.text(number, (0.12, 0.1, 0.88, 0.62), dark, (0.6, 1.3))
        pen.text(str(rng.choice(["M.P.H.", "MPH", "km/h", "KM/H"])), (0.15, 0.7, 0.85, 0.87), dark)
    elif style < 0.9:
        pen.text(str(rng.choice(["EXIT", "RAMP", "CURVE", "LOOP", "AHEAD"])), (0.12, 0.1, 0.88, 0.35), dark)
        pen.text(number, (0.12, 0.43, 0.88, 0.75), dark, (0.6, 1.3))
        pen.text("M.P.H.", (0.25, 0.8, 0.75, 0.92), dark)
    else:
        pen.text(number, (0.12, 0.2, 0.88, 0.8), dark, (0.6, 1.3))
    return pen


PLATE_WORDS = [
    "ONE WAY", "DO NOT PASS", "KEEP RIGHT", "NO PARKING ANY TIME", "NO TURN ON RED", "RIGHT LANE MUST TURN RIGHT", "SPEED ZONE AHEAD",
    "SPEED CHECKED BY RADAR", "SPEED HUMP", "REDUCED SPEED AHEAD", "WEIGHT LIMIT 10 TONS", "WEIGHT LIMIT 20 TONS", "YOUR SPEED", "LIMIT 2 HOURS",
    "END SCHOOL ZONE", "FINES DOUBLE", "BRIDGE OUT", "ROAD CLOSED", "STOP HERE ON RED", "NO OUTLET", "TOW AWAY ZONE", "NO THRU TRAFFIC",
    "PARKING LIMIT", "SLOWER TRAFFIC KEEP RIGHT", "LEFT ONLY", "TRUCK ROUTE", "PARK AND RIDE", "NO LIMIT", "SPEED LIMIT ENFORCED", "BUS STOP",
]


def minimum_plate(rng, faces) -> Pen:
    """A US minimum speed: a limit's plate but for the words."""
    return mph_plate(rng, faces, head=("MINIMUM", "SPEED") if rng.random() < 0.9 else ("MIN", "SPEED"))[0]


def worded_plate(rng, faces) -> Pen:
    """A white plate with words, some with a number: minimum, lorry and night limits, parking hours, weights."""
    pen, _, edge = _plate(rng, faces, yellow(rng) if rng.random() < 0.12 else None)
    if rng.random() < 0.12:
        pen.plate(ink(rng), 0.02)
        edge = white(rng)
    if rng.random() < 0.45:
        head = str(rng.choice(["MINIMUM", "TRUCKS", "NIGHT", "MIN SPEED", "EXIT", "MILE", "ROUTE", "ALL TRUCKS", "TRUCK LIMIT", "YOUR SPEED", "WEIGHT LIMIT", "LENGTH LIMIT", "HOUR PARKING", "GATE"]))
        rows = head.split() + [str(int(rng.choice(range(5, 90, 5))))]
        heights = [0.18] * (len(rows) - 1) + [0.36]
    else:
        rows = str(rng.choice(PLATE_WORDS)).split()
        heights = [0.8 / len(rows)] * len(rows)
    y = 0.08 + (0.84 - sum(heights)) / 2
    for row, height in zip(rows, heights):
        pen.text(row, (0.1, y + 0.02, 0.9, y + height - 0.03), edge, (0.55, 1.2), int(rng.choice([0, 0, 2])))
        y += height
    return pen


def warning(rng, faces) -> Pen:
    """A triangle or a diamond."""
    pen = Pen(rng, face=str(rng.choice(faces)))
    dark, face = ink(rng), white(rng) if rng.random() < 0.6 else yellow(rng)
    if rng.random() < 0.6:
        down = rng.random() < 0.2
        points = lambda d: [(d * 1.7, 0.04 + d if down else 0.94 - d), (1 - d * 1.7, 0.04 + d if down else 0.94 - d), (0.5, 0.94 - 2 * d if down else 0.04 + 2 * d)]
        pen.polygon(points(0), red(rng) if rng.random() < 0.85 else dark), pen.polygon(points(rng.uniform(0.06, 0.11)), face)
        if not down:
            pen.text(str(rng.choice(["!", "10%", "12%", "X", "+", "Y", "50", "30"])), (0.35, 0.45, 0.65, 0.82), dark)
    else:
        pen.polygon([(0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5)], dark), pen.polygon([(0.5, 0.04), (0.96, 0.5), (0.5, 0.96), (0.04, 0.5)], yellow(rng))
        pen.line(tuple(rng.uniform(0.3, 0.7, 2)), tuple(rng.uniform(0.3, 0.7, 2)), 0.07, dark)
    return pen


def lamp(rng, faces) -> Pen:
    """A traffic or tail light, a counting signal."""
    pen = Pen(rng, float(rng.uniform(0.4, 1.1)), str(rng.choice(faces)))
    pen.plate(ink(rng, 0, 60), 0, float(rng.uniform(0.02, 0.2)))
    colour = [(255, 40, 30, 255), (255, 180, 30, 255), (40, 240, 130, 255)][int(rng.integers(0, 3))]
    if rng.random() < 0.3:
        pen.text(str(int(rng.integers(1, 100))), (0.15, 0.2, 0.85, 0.8), colour)
        pen.led(int(rng.integers(5, 10)))
    else:
        pen.disc(float(rng.uniform(0.25, 0.45)), colour, (0.5, float(rng.choice([0.2, 0.5, 0.8]))))
    return pen


def end_of_other(rng, faces) -> Pen:
    """The end of a minimum speed, an overtaking ban or a zone that is no speed zone: strokes over a picture."""
    pen = Pen(rng, face=str(rng.choice(faces)))
    pen.disc(0.5, ink(rng, 40, 120)), pen.disc(0.48, white(rng))
    grey = ink(rng, 60, 150)
    for x in (0.33, 0.62):
        pen.polygon([(x - 0.1, 0.5), (x + 0.1, 0.5), (x + 0.1, 0.62), (x - 0.1, 0.62)], grey)
        pen.polygon([(x - 0.06, 0.41), (x + 0.06, 0.41), (x + 0.08, 0.5), (x - 0.08, 0.5)], grey)
    strokes(pen, rng)
    return pen


def text_board(rng, faces) -> Pen:
    """A board, a number plate, a shop sign: words and digits on any colour."""
    pen = Pen(rng, float(rng.uniform(0.6, 2.5)), str(rng.choice(faces)))
    pen.plate(any_colour(rng), 0, float(rng.uniform(0, 0.2)))
    letters = np.array(list("ABCDEFGHKLMNPRSTUVWXYZ0123456789"))
    rows = int(rng.integers(1, 4))
    for i in range(rows):
        words = "".join(rng.choice(letters, int(rng.integers(1, 8))))
        pen.text(words, (0.05, 0.08 + i * 0.85 / rows, 0.95, (i + 0.85) * 0.9 / rows + 0.05), any_colour(rng))
    return pen


MAKERS = [
    (measure, 0.30), (pictogram, 0.12), (odd_number, 0.02), (minimum_speed, 0.08), (sticker, 0.09), (shield, 0.09), (advice, 0.07),
    (worded_plate, 0.10), (minimum_plate, 0.03), (warning, 0.03), (lamp, 0.02), (end_of_other, 0.04), (text_board, 0.05),
]


def other(rng, faces) -> tuple[Pen, Label]:
    """One of the above, by their shares."""
    shares = np.array([share for _, share in MAKERS])
    make = MAKERS[int(rng.choice(len(MAKERS), p=shares / shares.sum()))][0]
    return make(rng, faces), Label(OTHER)
