"""Boxes as the product prints them, x, y, width and height in pixels, and what they are compared by."""

GROUP = {"car": "vehicle", "truck": "vehicle", "bus": "vehicle", "person": "person", "bicycle": "cycle", "motorcycle": "cycle"}


def iou(a: list[float], b: list[float]) -> float:
    w = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    h = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    return 0.0 if w <= 0 or h <= 0 else w * h / (a[2] * a[3] + b[2] * b[3] - w * h)
