"""Content of the widget of the chapter on today's models, computed by posenc."""

import numpy as np
from widget_page import Near

from posenc.checkpoint import describe, first_untrained, groups
from posenc.checkpoint.published import config
from posenc.checkpoint.widgets import ConfigKeys


def kinds_of(w):
    checkpoint = describe(config(w.model, w.step))
    turning = [g for g in groups(checkpoint) if g.layer.method == "rope"]
    return checkpoint, [group.layer for group in turning]


def config_keys(w):
    checkpoint, layers = kinds_of(w)
    waves, dials, never, said = [], [], [], {}
    for layer in layers:
        theta = layer.frequencies(checkpoint.max_len)
        plain = layer.rotation.unstretched()
        known = first_untrained(layer, checkpoint)
        reach = min(layer.window or checkpoint.max_len, checkpoint.max_len)
        turns = [plain * known, theta * reach] if known else [None, theta * reach]
        waves.append(Near(2 * np.pi / theta, rtol=1e-5))
        dials.append(
            [x if x is None else Near(x / (2 * np.pi), rtol=1e-5) for x in turns]
        )
        compared = plain if known else theta
        never.append((compared * (known or checkpoint.max_len) < 2 * np.pi).sum())
        said[f"{never[-1]} of {len(theta)} planes make no whole turn"] = True
        partly = f"{layer.rotary_dim} of {layer.head_dim} features turn"
        said[partly] = layer.rotary_dim < layer.head_dim
    numbers = {"waves": waves, "dials": dials, "never": never}
    return numbers | {"trained": checkpoint.trained_len}, said


def table(w):
    checkpoint, (layer, *_) = kinds_of(w)
    waves = 2 * np.pi / layer.frequencies(checkpoint.max_len)
    return [[..., str(n)] for n in range(len(waves))]


SHOWN = {ConfigKeys: config_keys}
TABLES = {ConfigKeys: table}
