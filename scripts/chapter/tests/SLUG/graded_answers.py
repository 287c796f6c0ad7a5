"""Right and wrong answers to the exercises for marks."""


def back(units, scale):
    return units / scale


def back_loops(units, scale):
    return [unit / scale for unit in units]


def moved(positions, scale, origin):
    return (positions - origin) * scale


def moved_loops(positions, scale, origin):
    return [scale * p - scale * origin for p in positions]


RIGHT = {
    "SLUG.back_to_tokens": [back, back_loops],
    "SLUG.scaled_from": [moved, moved_loops],
}
WRONG = {
    "SLUG.back_to_tokens": [(lambda units, scale: units + 1, "not in tokens")],
    "SLUG.scaled_from": [(lambda p, scale, origin: p, "not counted from")],
}
