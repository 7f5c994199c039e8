"""The pen that signs are drawn with: a square of pixels with transparency, in fractions of its side."""
import cv2
import numpy as np
from PIL import Image, ImageDraw

from . import fonts

SIDE = 192


class Pen:
    """Draws on a transparent canvas; coordinates are fractions of its width and height."""

    def __init__(self, rng: np.random.Generator, aspect: float = 1.0, face: str = "RG2014C"):
        """`aspect` is width over height; `face` the typeface of all text."""
        self.rng, self.face = rng, face
        self.width, self.height = (SIDE, round(SIDE / aspect)) if aspect < 1 else (round(SIDE * aspect), SIDE)
        self.image = Image.new("RGBA", (self.width, self.height), (0, 0, 0, 0))
        self.draw = ImageDraw.Draw(self.image)

    def disc(self, radius: float, colour, centre=(0.5, 0.5)):
        """A disc; `radius` as a fraction of the width."""
        x, y, r = centre[0] * self.width, centre[1] * self.height, radius * self.width
        self.draw.ellipse((x - r, y - r, x + r, y + r), fill=tuple(colour))

    def plate(self, colour, inset: float = 0.0, rounding: float = 0.06):
        """A rounded plate, `inset` of the width smaller than the canvas."""
        d = inset * self.width
        self.draw.rounded_rectangle((d, d, self.width - 1 - d, self.height - 1 - d), rounding * self.width, fill=tuple(colour))

    def polygon(self, points, colour):
        """A filled polygon."""
        self.draw.polygon([(x * self.width, y * self.height) for x, y in points], fill=tuple(colour))

    def line(self, a, b, width: float, colour):
        """A line of `width` (fraction of the width)."""
        self.draw.line(
            (a[0] * self.width, a[1] * self.height, b[0] * self.width, b[1] * self.height),
            fill=tuple(colour), width=max(1, round(width * self.width)),
        )

    def text(self, words: str, box, colour, stretch: tuple[float, float] = (0.0, 9.0), weight: int = 0, face: str | None = None):
        """Text whose ink fills the height of `box` (left, top, right, bottom), squeezed to its width where it must be.

        `stretch` limits width over natural width; `weight` fattens the strokes by so many pixels.
        """
        mask = _strokes(words, weight) if (face or self.face) == fonts.STROKES else _glyphs(words, face or self.face, weight)
        if mask is None:
            return
        height = max(1, round((box[3] - box[1]) * self.height))
        room = max(1, round((box[2] - box[0]) * self.width))
        natural = mask.width * height / mask.height
        width = int(np.clip(min(room, natural * stretch[1]), 1, room))
        if width < natural * max(stretch[0], 0.55):  # too wide for the room: smaller rather than crushed
            factor = width / (natural * max(stretch[0], 0.55))
            height = max(1, round(height * factor))
        width = max(1, min(width, round(mask.width * height / mask.height * stretch[1])))
        mask = mask.resize((width, height), Image.Resampling.LANCZOS)
        x = round((box[0] + box[2]) / 2 * self.width - width / 2)
        y = round((box[1] + box[3]) / 2 * self.height - height / 2)
        self.image.paste(Image.new("RGBA", mask.size, tuple(colour)), (x, y), mask)

    def led(self, pitch: int):
        """Turns what is drawn into a lamp matrix: one dot each `pitch` pixels, the rest dark."""
        y, x = np.mgrid[0 : self.height, 0 : self.width]
        dot = np.clip(1.4 - np.hypot((x % pitch) - pitch / 2, (y % pitch) - pitch / 2) / (pitch * 0.42), 0, 1)
        pixels = np.asarray(self.image).astype(np.float32)
        pixels[..., :3] *= dot[..., None]
        self.image = Image.fromarray(pixels.astype(np.uint8), "RGBA")
        self.draw = ImageDraw.Draw(self.image)


def _glyphs(words: str, face: str, weight: int) -> Image.Image | None:
    """The ink of `words` in a typeface, cut to its bounds."""
    font = fonts.load(face, 128)
    left, top, right, bottom = font.getbbox(words, stroke_width=weight)
    if right <= left or bottom <= top:
        return None
    mask = Image.new("L", (right - left, bottom - top))
    ImageDraw.Draw(mask).text((-left, -top), words, fill=255, font=font, stroke_width=weight)
    return mask


def _strokes(words: str, weight: int) -> Image.Image | None:
    """The ink of `words` in OpenCV's stroke letters, as fleet-sim paints its signs."""
    thickness = 12 + 3 * weight
    (width, height), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, 4, thickness)
    mask = np.zeros((height + 80, width + 80), np.uint8)
    cv2.putText(mask, words, (40, height + 40), cv2.FONT_HERSHEY_SIMPLEX, 4, 255, thickness, cv2.LINE_AA)
    rows, columns = np.where(mask.any(1))[0], np.where(mask.any(0))[0]
    if not len(rows):
        return None
    return Image.fromarray(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def ink(rng: np.random.Generator, low: int = 8, high: int = 60):
    """A blackish colour."""
    base = int(rng.integers(low, high))
    return tuple(int(np.clip(base + rng.integers(-6, 7), 0, 255)) for _ in range(3)) + (255,)


def white(rng: np.random.Generator):
    """A whitish colour."""
    base = int(rng.integers(205, 256))
    return tuple(int(np.clip(base + rng.integers(-10, 6), 0, 255)) for _ in range(3)) + (255,)


def red(rng: np.random.Generator):
    """The red of a ring, from new to faded."""
    fade = rng.random() ** 3 * 0.5
    base = np.array([rng.integers(150, 230), rng.integers(10, 50), rng.integers(15, 60)], float)
    return tuple(int(v) for v in base + (175 - base) * fade) + (255,)


def any_colour(rng: np.random.Generator):
    """Any colour."""
    return tuple(int(v) for v in rng.integers(0, 256, 3)) + (255,)


def yellow(rng: np.random.Generator):
    """Sign yellow to orange."""
    return (int(rng.integers(220, 256)), int(rng.integers(140, 225)), int(rng.integers(0, 70)), 255)


def blue(rng: np.random.Generator):
    """Sign blue."""
    return (int(rng.integers(0, 50)), int(rng.integers(60, 120)), int(rng.integers(130, 230)), 255)


def green(rng: np.random.Generator):
    """Sign green."""
    return (int(rng.integers(0, 40)), int(rng.integers(80, 140)), int(rng.integers(40, 90)), 255)
