"""Puts a drawn sign before a background, in light and weather, as a camera would see it."""
import cv2
import numpy as np

# A stored crop: SIZE pixels a side, the sign's box in its middle with CONTEXT of its side around it.
SIZE = 64
CONTEXT = 0.15
FINE = 128


def place(pen_image, rng: np.random.Generator, background: np.ndarray, smallest: float = 13) -> tuple[np.ndarray, float]:
    """`pen_image` (RGBA, PIL) before `background` (BGR): a SIZE × SIZE crop whose sign fills the middle (box stretched to a square).

    Also returned: how many pixels wide the sign was to the camera, `smallest` to 70.
    """
    sign = np.asarray(pen_image).astype(np.float32)
    sign = sign[..., [2, 1, 0, 3]]
    height, width = sign.shape[:2]
    alpha = sign[..., 3:] / 255
    colours = _light(sign[..., :3], alpha, rng)
    if rng.random() < 0.12:
        colours = _dirt(colours, rng)
    layer = np.dstack([colours * alpha, alpha])
    corners = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
    target = _view(width, height, rng)
    transform = cv2.getPerspectiveTransform(corners, target)
    layer = cv2.warpPerspective(layer, transform, (FINE, FINE), flags=cv2.INTER_AREA if width > FINE else cv2.INTER_LINEAR)
    canvas = cv2.resize(background, (FINE, FINE), interpolation=cv2.INTER_AREA).astype(np.float32)
    if rng.random() < 0.35:  # the post
        x = FINE / 2 + rng.normal(0, 5)
        half = rng.uniform(2, 6)
        canvas[:, int(x - half) : int(x + half)] = rng.uniform(40, 200)
    picture = canvas * (1 - layer[..., 3:]) + layer[..., :3]
    pixels = float(np.exp(rng.uniform(np.log(smallest), np.log(70))))
    return _camera(picture, rng, pixels), pixels


def _view(width: int, height: int, rng) -> np.ndarray:
    """Corners of the sign in the fine crop: turned and tilted, then fitted so that its box fills the middle."""
    square = np.float32([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.float32([width, height]) / 2
    turn = np.deg2rad(rng.normal(0, 4))
    yaw, pitch = np.deg2rad(rng.normal(0, 18)), np.deg2rad(rng.normal(0, 8))
    rotate = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    points = square @ rotate.T
    depth = max(width, height) * rng.uniform(2.5, 6)
    z = points[:, 0] * np.sin(yaw) + points[:, 1] * np.sin(pitch)
    points = np.stack([points[:, 0] * np.cos(yaw), points[:, 1] * np.cos(pitch)], 1) * (depth / (depth + z))[:, None]
    low, high = points.min(0), points.max(0)
    inner = FINE / (1 + 2 * CONTEXT)
    return np.float32((points - low) / (high - low) * inner + (FINE - inner) / 2)


def _light(colours, alpha, rng):
    """Day, dusk, backlight, night; a cast of colour; fading; a gradient or a shadow's edge."""
    gain = float(np.exp(rng.normal(-0.25, 0.45)))
    cast = np.exp(rng.normal(0, 0.08, 3)).astype(np.float32)
    offset = rng.uniform(0, 30)
    if rng.random() < 0.2:
        grey = colours.mean(2, keepdims=True)
        colours = grey + (colours - grey) * rng.uniform(0.1, 0.8)
    colours = colours * gain * cast + offset
    if rng.random() < 0.3:
        h, w = colours.shape[:2]
        y, x = np.mgrid[0:h, 0:w].astype(np.float32)
        angle = rng.uniform(0, 2 * np.pi)
        along = (np.cos(angle) * (x / w - 0.5) + np.sin(angle) * (y / h - 0.5)) + rng.uniform(-0.3, 0.3)
        if rng.random() < 0.5:
            shade = 1 - rng.uniform(0.1, 0.6) * (along > 0)
        else:
            shade = 1 + rng.uniform(0.1, 0.5) * along
        colours = colours * shade[..., None].astype(np.float32)
    return np.clip(colours, 0, 255)


def _dirt(colours, rng):
    """Blots, scratches, a twig before the sign."""
    h, w = colours.shape[:2]
    colours = np.ascontiguousarray(colours)
    for _ in range(int(rng.integers(1, 6))):
        tone = rng.uniform(10, 200)
        colour = (tone * rng.uniform(0.7, 1), tone, tone * rng.uniform(0.8, 1.1))
        at = (int(rng.integers(0, w)), int(rng.integers(0, h)))
        if rng.random() < 0.5:
            cv2.circle(colours, at, int(rng.integers(2, max(3, w // 14))), colour, -1)
        else:
            to = (at[0] + int(rng.integers(-w, w) * 0.4), at[1] + int(rng.integers(-h, h) * 0.4))
            cv2.line(colours, at, to, colour, int(rng.integers(1, max(2, w // 40))))
    return colours


def _camera(picture, rng, pixels: float):
    """Distance (few pixels), focus, motion, haze, noise, JPEG; back to SIZE."""
    side = int(np.clip(round(pixels * (1 + 2 * CONTEXT)), 16, FINE))
    picture = cv2.GaussianBlur(picture, (0, 0), FINE / side * rng.uniform(0.3, 0.8))
    if rng.random() < 0.2:
        length = int(rng.integers(2, 2 + FINE // 12))
        kernel = np.zeros((length, length), np.float32)
        cv2.line(kernel, (0, int(rng.integers(0, length))), (length - 1, int(rng.integers(0, length))), 1, 1)
        picture = cv2.filter2D(picture, -1, kernel / kernel.sum())
    picture = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
    if rng.random() < 0.25:
        haze = rng.uniform(90, 230)
        picture = picture + (haze - picture) * rng.uniform(0.1, 0.65)
    picture = picture + rng.normal(0, rng.uniform(0, 7), picture.shape)
    picture = np.clip(picture, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 96))])
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return fit(picture, SIZE)


def fit(picture: np.ndarray, size: int) -> np.ndarray:
    """To size × size as the product does it: area averaging when it gets smaller, linear otherwise."""
    smaller = picture.shape[1] > size
    return cv2.resize(picture, (size, size), interpolation=cv2.INTER_AREA if smaller else cv2.INTER_LINEAR)


def around(picture: np.ndarray, box, context: float = CONTEXT, size: int = SIZE) -> np.ndarray:
    """The crop round `box` (x, y, width, height) with `context` of its side; outside the picture its edge goes on."""
    x, y, w, h = box
    left, top = round(x - context * w), round(y - context * h)
    right, bottom = round(x + w + context * w), round(y + h + context * h)
    height, width = picture.shape[:2]
    pad = (max(0, -top), max(0, bottom - height), max(0, -left), max(0, right - width))
    if any(pad):
        picture = cv2.copyMakeBorder(picture, *pad, cv2.BORDER_REPLICATE)
        left, right, top, bottom = left + pad[2], right + pad[2], top + pad[0], bottom + pad[0]
    return fit(picture[top:bottom, left:right], size)
