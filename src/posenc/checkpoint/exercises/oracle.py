"""The meaning of keys, written a second time, in plain loops, without our code."""

import math
from typing import Any

import numpy as np


def slow_planes(rotary_dim: int, base: float, trained_len: int) -> int:
    """Count the planes whose wavelength is longer than the trained length."""
    count = 0
    for i in range(rotary_dim // 2):
        wavelength = 2 * math.pi * base ** (2 * i / rotary_dim)
        if wavelength > trained_len:
            count += 1
    return count


def base_for(rotary_dim: int, trained_len: int) -> float:
    """Return the base that turns the last plane once within the trained length."""
    return float((trained_len / (2 * math.pi)) ** (rotary_dim / (rotary_dim - 2)))


def yarn_factor(scaling: Any) -> float:
    """Return the factor of YaRN's queries and keys."""
    given = scaling.get("attention_factor")
    if given is not None:
        return float(given)

    def weighted(weight: float) -> float:
        if scaling["factor"] <= 1:
            return 1.0
        return 0.1 * weight * math.log(scaling["factor"]) + 1

    mscale, all_dim = scaling.get("mscale"), scaling.get("mscale_all_dim")
    if mscale and all_dim:
        return weighted(mscale) / weighted(all_dim)
    return weighted(1.0)


def turning_layers(config: Any) -> list[bool]:
    """Return True for each layer of SmolLM3 that turns."""
    listed = config.get("no_rope_layers")
    turns = []
    for i in range(config["num_hidden_layers"]):
        if listed is not None:
            turns.append(listed[i] == 1)
        else:
            turns.append((i + 1) % config.get("no_rope_layer_interval", 4) != 0)
    return turns


def multimodal_places(
    before: int, frames: int, rows: int, columns: int, after: int
) -> np.ndarray:
    """Return positions of text, a picture or a film, and text, on three axes."""
    places = [(p, p, p) for p in range(before)]
    for frame in range(frames):
        for row in range(rows):
            for column in range(columns):
                places.append((before + frame, before + row, before + column))
    start = before + max(frames, rows, columns)
    places += [(start + p,) * 3 for p in range(after)]
    table = np.zeros((3, len(places)), dtype=np.int64)
    for token, place in enumerate(places):
        for axis in range(3):
            table[axis, token] = place[axis]
    return table


def half_order(head_dim: int, rotary_dim: int) -> list[int]:
    """Return the old feature at each new place, the first ones in halves."""
    order = []
    for new in range(head_dim):
        if new < rotary_dim // 2:
            order.append(2 * new)
        elif new < rotary_dim:
            order.append(2 * (new - rotary_dim // 2) + 1)
        else:
            order.append(new)
    return order


def converted(weight: np.ndarray, num_heads: int, rotary_dim: int) -> np.ndarray:
    """Move rows of a projection, head by head, from neighbors to halves."""
    size = len(weight) // num_heads
    out = np.zeros_like(weight)
    for head in range(num_heads):
        for new, old in enumerate(half_order(size, rotary_dim)):
            out[head * size + new] = weight[head * size + old]
    return out


def windows(num_layers: int, period: int, window: int) -> list[int]:
    """Return each layer's window, 0 for none in the last layer of each period."""
    sizes = []
    for i in range(num_layers):
        sizes.append(0 if i % period == period - 1 else window)
    return sizes
