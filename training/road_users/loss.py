"""Which cell answers for which object, and what its answer costs.

Assignment is task-aligned (Feng et al. 2021): of the cells whose centre lies in an object's box, the ten with the best
score^0.5 x overlap^6 are its own; a cell wanted by two objects goes to the one it overlaps more. The score's target is the cell's alignment,
scaled so that an object's best cell gets the object's best overlap; quality focal loss on the scores, GIoU and the distribution focal loss
(both Li et al. 2020) on the sides.
"""

import torch
from torch import Tensor
from torch.nn import functional as F

from .network import BINS, CLASSES, boxes, centres

CANDIDATES = 10
BOX, DISTRIBUTION, SCORE = 3.0, 0.5, 1.0
# Classes that are mistaken for each other: who rides, walks, or is ridden; and what has four wheels.
GROUPS = torch.tensor([0, 0, 0, 1, 1, 1])


def overlap(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """IoU and GIoU of corner boxes, element by element (broadcast)."""
    size = (torch.minimum(a[..., 2:], b[..., 2:]) - torch.maximum(a[..., :2], b[..., :2])).clamp(min=0)
    hull = torch.maximum(a[..., 2:], b[..., 2:]) - torch.minimum(a[..., :2], b[..., :2])
    area = lambda r: (r[..., 2] - r[..., 0]).clamp(min=0) * (r[..., 3] - r[..., 1]).clamp(min=0)
    common = size[..., 0] * size[..., 1]
    union = (area(a) + area(b) - common).clamp(min=1e-6)
    whole = (hull[..., 0] * hull[..., 1]).clamp(min=1e-6)
    iou = common / union
    return iou, iou - (whole - union) / whole


def inside(points: Tensor, rows: Tensor, least: float = 0.0) -> Tensor:
    """M x n: whether each point lies in each box, boxes widened to `least` pixels a side."""
    middle, half = (rows[:, :2] + rows[:, 2:]) / 2, ((rows[:, 2:] - rows[:, :2]) / 2).clamp(min=least)
    (left, top), (right, bottom) = (middle - half).T[..., None], (middle + half).T[..., None]
    x, y = points.T.contiguous()
    return (x > left) & (x < right) & (y > top) & (y < bottom)


@torch.no_grad()
def assign(probabilities: Tensor, found: Tensor, objects: Tensor, points: Tensor, strides: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """For a batch: `probabilities` N x n x 6, `found` N x n x 4, `objects` M x 7 (index, class, box, trust).

    Gives, for each owned cell: picture, row, object, and the target of its score.
    """
    index, kind, box = objects[:, 0].long(), objects[:, 1].long(), objects[:, 2:6]
    # Objects narrower than a cell would own none: widened to 1.2 cells of the finest level.
    owner, row = inside(points, box, 0.6 * 8.0).nonzero(as_tuple=True)
    # A side longer than the distribution reaches cannot be told from there.
    sides = torch.cat([points[row] - box[owner, :2], box[owner, 2:] - points[row]], -1).amax(-1)
    near = sides < (BINS - 1) * strides[row]
    owner, row = owner[near], row[near]
    iou = torch.zeros(len(objects), len(points))
    metric = torch.zeros_like(iou)
    iou[owner, row] = overlap(found[index[owner], row], box[owner])[0]
    metric[owner, row] = probabilities[index[owner], row, kind[owner]].sqrt() * iou[owner, row].pow(6) + 1e-9
    best, rows = metric.topk(min(CANDIDATES, metric.shape[1]), 1)
    owner, nth = (best > 0).nonzero(as_tuple=True)
    row = rows[owner, nth]
    # One owner a cell: per picture the object that the cell overlaps most.
    cell = index[owner] * len(points) + row
    top = torch.zeros(len(probabilities) * len(points)).scatter_reduce_(0, cell, iou[owner, row] + 1e-6, "amax")
    kept = iou[owner, row] + 1e-6 >= top[cell]
    owner, row, cell = owner[kept], row[kept], cell[kept]
    _, first = cell.unique(return_inverse=True)
    last = torch.zeros(int(first.max()) + 1 if len(first) else 0, dtype=torch.long).scatter_(0, first, torch.arange(len(first)))
    owner, row = owner[last], row[last]
    m, u = metric[owner, row], iou[owner, row]
    most_m = torch.zeros(len(objects)).scatter_reduce_(0, owner, m, "amax")[owner]
    most_u = torch.zeros(len(objects)).scatter_reduce_(0, owner, u, "amax")[owner]
    return index[owner], row, owner, m / most_m.clamp(min=1e-9) * most_u


def masked(unsure: Tensor, points: Tensor, count: int) -> Tensor:
    """N x n x 2: cells in an unsure box of each group, neither object nor background. `unsure`: rows index, class
    (from 6: any), box."""
    hits, kind = torch.zeros(count, len(points), 2, dtype=torch.bool), unsure[:, 1].long()
    area, row = inside(points, unsure[:, 2:6]).nonzero(as_tuple=True)
    for group in (0, 1):
        mine = ((GROUPS[kind.clamp(max=len(CLASSES) - 1)] == group) | (kind >= len(CLASSES)))[area]
        hits[unsure[area[mine], 0].long(), row[mine], group] = True
    return hits


def loss(scores: Tensor, distances: Tensor, objects: Tensor, unsure: Tensor, height: int, width: int) -> dict[str, Tensor]:
    """The parts of the loss; `scores` and `distances` as the network gives them, in float32."""
    points, strides = centres(height, width)
    found = boxes(distances.detach(), points, strides)
    target = torch.zeros_like(scores)
    counts = (~masked(unsure, points, len(scores)))[..., GROUPS].float()
    zero = scores.sum() * 0
    box_loss = distribution_loss = zero
    if len(objects):
        picture, row, owner, wanted = assign(scores.detach().sigmoid(), found, objects, points, strides)
        kind = objects[owner, 1].long()
        target[picture, row, kind] = wanted
        trust = objects[owner, 6]
        counts[picture, row] = trust[:, None].expand(-1, len(CLASSES))
        weight = (wanted * trust).clamp(min=0.05)
        total = weight.sum().clamp(min=1)
        box = objects[owner, 2:6]
        mine = distances[picture, row]
        box_loss = ((1 - overlap(boxes(mine, points[row], strides[row]), box)[1]) * weight).sum() / total
        near, far = points[row] - box[:, :2], box[:, 2:] - points[row]
        side = (torch.cat([near, far], 1) / strides[row, None]).clamp(0, BINS - 1 - 0.01)
        low = side.floor().long()
        logits = mine.unflatten(-1, (4, BINS)).flatten(0, 1)
        low, part = low.flatten(), (side - low).flatten()
        each = F.cross_entropy(logits, low, reduction="none") * (1 - part) + F.cross_entropy(logits, low + 1, reduction="none") * part
        distribution_loss = (each.view(-1, 4).mean(1) * weight).sum() / total
    # Quality focal loss (exponent 2): what is already right counts little.
    probability = scores.sigmoid()
    cross = F.binary_cross_entropy_with_logits(scores, target, reduction="none") * (target - probability).abs().pow(2) * counts
    score_loss = cross.sum() / target.sum().clamp(min=4)
    return {"score": SCORE * score_loss, "box": BOX * box_loss, "distribution": DISTRIBUTION * distribution_loss}
