"""Which crops train, which calibrate, which measure: whole physical signs and recordings, never single frames."""
import zlib

TRAIN, VALIDATION, TEST = "train", "validation", "test"


def _share(text: str) -> float:
    """A number 0...1 that depends on `text` alone."""
    return zlib.crc32(text.encode()) / 2**32


def by_group(group: str, test: float, validation: float) -> str:
    """The part that `group` falls into, by shares."""
    share = _share(group)
    return TEST if share < test else VALIDATION if share < test + validation else TRAIN


def gtsrb(class_tracks: dict[int, list[str]]) -> dict[tuple[int, str], str]:
    """The part of each (class, track): a fifth measures (at least one track a class), a tenth calibrates where there are ten or more."""
    parts = {}
    for number, tracks in class_tracks.items():
        order = sorted(tracks, key=lambda track: _share(f"gtsrb/{number}/{track}"))
        test, validation = max(1, round(0.2 * len(order))), len(order) // 10
        for i, track in enumerate(order):
            parts[number, track] = TEST if i < test else VALIDATION if i < test + validation else TRAIN
    return parts


def picture(source: str, stem: str) -> str:
    """The part of a picture of `signs/`: by photo (tt100k), block of neighbouring photos (scenes-by), drive (scenes-in), frame number."""
    if source == "scenes-us" or source == "scenes-us-nolimit":
        return TEST
    if source == "scenes-de":
        number = int(stem.split("-")[-1])
        return TEST if 500 <= number <= 599 else by_group(f"de/{number // 10}", 0, 0.1)
    if source == "scenes-by":
        block = int(stem.split("_")[1]) // 50
        return TEST if block % 4 == 1 else VALIDATION if block % 8 == 3 else TRAIN
    if source == "tt100k":
        return by_group(f"tt100k/{stem.split('_')[1]}", 0.3, 0.1)
    if source == "scenes-in":
        return by_group(f"in/{stem.rsplit('_', 1)[0]}", 0.3, 0.1)
    return TRAIN
