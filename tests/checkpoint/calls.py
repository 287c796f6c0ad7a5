"""One right call of every public function: what tests of all of them use."""

from posenc.checkpoint import describe

CONFIG = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_hidden_layers": 2,
    "max_position_embeddings": 128,
}
CHECKPOINT = describe(CONFIG)

FUNCTIONS = {
    "describe": {"config": CONFIG},
    "families": {},
    "groups": {"checkpoint": CHECKPOINT},
    "chosen_layer": {"checkpoint": CHECKPOINT, "number": 1},
    "planes": {"layer": CHECKPOINT.layer(0), "length": 100, "seq_len": 9},
    "first_untrained": {"layer": CHECKPOINT.layer(0), "checkpoint": CHECKPOINT},
    "as_dict": {"checkpoint": CHECKPOINT},
    "report": {"checkpoint": CHECKPOINT},
}
MODS: dict[str, dict[str, object]] = {}
MODULES: dict[str, tuple[dict[str, object], dict[str, object]]] = {}

STILL = describe({"model_type": "smollm3"}).layer(3)
REFUSED = [("planes", {"layer": STILL}, "layer must be one that turns, got .*none")]
