"""What the reader tells apart: the kind of a sign and the value it shows."""
from dataclasses import dataclass

OTHER, ROUND, PLATE_MPH, PLATE_KMH, END, END_ALL = range(6)
KINDS = ["other", "round", "plate-mph", "plate-kmh", "end", "end-all"]

# 140 is in use in Poland and Bulgaria; without a place of its own it would be read as 40.
VALUES = list(range(5, 145, 5))

# What each kind is rendered with: the values that signs of the kind show somewhere.
ROUND_VALUES = VALUES
PLATE_MPH_VALUES = list(range(5, 90, 5))
PLATE_KMH_VALUES = list(range(10, 125, 10)) + [5, 15, 25]
END_VALUES = list(range(5, 135, 5))

GTSRB_LIMITS = {0: 20, 1: 30, 2: 50, 3: 60, 4: 70, 5: 80, 7: 100, 8: 120}


@dataclass(frozen=True)
class Label:
    """A kind, and the value shown (None where there is none)."""

    kind: int
    value: int | None = None

    @property
    def index(self) -> int:
        """Place of the value in VALUES, -1 for none."""
        return -1 if self.value is None else VALUES.index(self.value)


def gtsrb_label(class_number: int) -> Label:
    """The label of a class of the German benchmark (0 to 42)."""
    if class_number in GTSRB_LIMITS:
        return Label(ROUND, GTSRB_LIMITS[class_number])
    if class_number == 6:
        return Label(END, 80)
    return Label(END_ALL) if class_number == 32 else Label(OTHER)


def truth_label(sign: dict) -> Label | None:
    """The label of a line of `signs/truth.jsonl`; None for what cannot be read or has a value outside VALUES."""
    if sign.get("ignore"):
        return None
    if sign["kind"] == "other":
        return Label(OTHER)
    value = sign["value"]
    if value is not None and value not in VALUES:
        return None
    if sign["kind"] == "end_of_limit":
        return Label(END_ALL) if value is None else Label(END, value)
    if value is None:
        return None
    return Label(PLATE_MPH if sign["unit"] == "mph" else ROUND, value)
