"""Small configurations, as config.json has them, for the tests of checkpoints."""

SMALL = {
    "hidden_size": 64,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "intermediate_size": 32,
    "vocab_size": 99,
    "max_position_embeddings": 256,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}


def bare(family, **keys):
    """Return a configuration of a family with these keys alone."""
    return {"model_type": family} | keys


def small(family, **keys):
    """Return a configuration of a small model."""
    return bare(family, **SMALL | keys)


LATENT = {
    "num_key_value_heads": 4,
    "q_lora_rank": 8,
    "kv_lora_rank": 8,
    "qk_nope_head_dim": 8,
    "qk_rope_head_dim": 16,
    "v_head_dim": 8,
    "first_k_dense_replace": 4,
    "n_routed_experts": 4,
    "n_group": 1,
    "topk_group": 1,
    "num_experts_per_tok": 1,
    "moe_intermediate_size": 8,
}
EXPERTS = {"num_local_experts": 2, "num_experts_per_tok": 1}
YARN = {"rope_type": "yarn", "factor": 8.0, "original_max_position_embeddings": 32}
LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 32,
}
#: The ends of YaRN's ramp fall between pairs, so that `truncate` has an effect.
BETWEEN = {
    "head_dim": 128,
    "hidden_size": 512,
    "max_position_embeddings": 32768,
}
TRUNCATE = YARN | {"original_max_position_embeddings": 4096, "truncate": False}
BOTH_TYPES = ["full_attention", "sliding_attention"] * 2
PLAIN = {"rope_type": "default", "rope_theta": 1e4}
PROPORTIONAL = {"rope_type": "proportional", "factor": 2.0}
OLD_TYPE = {"type": "linear", "factor": 4.0}
SHORT, LONG = [1.0 + i / 8 for i in range(8)], [2.0 + i for i in range(8)]
LONGROPE = {"type": "longrope", "short_factor": SHORT, "long_factor": LONG}

#: Families that turn, with keys beside those of `SMALL`: old spelling and new.
ROPE = {
    "llama": [
        {"rope_theta": 500_000.0},
        {"head_dim": 32},
        {"head_dim": None, "rope_scaling": None},
        {"rope_scaling": {"type": "linear", "factor": 4.0}, "rope_theta": 1e5},
        {"rope_scaling": {"type": "dynamic", "factor": 2.0}},
        {"rope_scaling": LLAMA3, "rope_theta": 500_000.0},
        {"rope_parameters": LLAMA3 | {"rope_theta": 500_000.0}},
        {"rope_scaling": YARN},
        {"rope_scaling": YARN | {"attention_factor": 1.5}},
        {"rope_scaling": YARN | {"mscale": 0.7, "mscale_all_dim": 0.4}},
        {"rope_scaling": YARN | {"mscale": 0.7, "mscale_all_dim": 0}},
        {"rope_scaling": YARN | {"beta_fast": 8, "beta_slow": None}},
        {"rope_scaling": YARN | {"truncate": False}},
        {"rope_scaling": YARN | {"factor": None}},
        {"rope_scaling": {"rope_type": "yarn", "factor": 4.0}},
        {"rope_scaling": YARN, "original_max_position_embeddings": 64},
        {"rope_scaling": LONGROPE, "original_max_position_embeddings": 32},
        {"rope_scaling": LONGROPE | {"factor": 3.0, "attention_factor": 1.1}},
        {"rope_scaling": YARN | {"rope_theta": 77.0}, "rope_theta": 99.0},
        {"rope_scaling": {"type": "linear", "rope_type": "dynamic", "factor": 2.0}},
        {
            "rope_scaling": {"rope_type": "linear", "factor": 2.0},
            "rope_parameters": {"rope_type": "default", "rope_theta": 5.0},
        },
        {"rope_scaling": {"rope_type": "proportional", "partial_rotary_factor": 0.4}},
        BETWEEN | {"rope_scaling": TRUNCATE},
        {"rope_scaling": PROPORTIONAL, "partial_rotary_factor": 0.25},
        {
            "rope_scaling": PROPORTIONAL | {"partial_rotary_factor": 0.75},
            "partial_rotary_factor": 0.25,
        },
        {"rope_scaling": YARN | {"original_max_position_embeddings": 32.0}},
        {"rope_scaling": YARN, "original_max_position_embeddings": 64.0},
    ],
    "mistral": [{"rope_theta": 1e6, "sliding_window": 32}, {"sliding_window": None}],
    "qwen2": [
        {"sliding_window": 16, "use_sliding_window": True, "max_window_layers": 2},
        {"sliding_window": 16, "use_sliding_window": False, "max_window_layers": 2},
        {"use_sliding_window": True, "sliding_window": None},
        {
            "layer_types": ["full_attention", "sliding_attention"] * 2,
            "use_sliding_window": True,
            "sliding_window": 8,
        },
    ],
    "qwen3": [{"rope_scaling": YARN}, {"head_dim": 16, "rope_theta": 1e6}],
    "gemma": [{"head_dim": 32}],
    "gemma2": [{"head_dim": 32, "sliding_window": 16}],
    "gemma3_text": [
        {"head_dim": 16, "rope_local_base_freq": 100.0, "rope_theta": 5000.0},
        {"rope_scaling": {"rope_type": "linear", "factor": 8.0}},
        {"sliding_window_pattern": 2, "sliding_window": 8},
        {"sliding_window": 8, "use_bidirectional_attention": True},
        {"layer_types": ["full_attention", "sliding_attention"] * 2},
        {
            "layer_types": ["full_attention", "sliding_attention"] * 2,
            "rope_parameters": {
                "full_attention": {"rope_type": "linear", "factor": 2.0},
                "sliding_attention": {"rope_type": "default", "rope_theta": 321.0},
            },
        },
        {"rope_parameters": {"rope_type": "linear", "factor": 2.0}},
        BETWEEN
        | {
            "layer_types": BOTH_TYPES,
            "rope_parameters": {"full_attention": TRUNCATE, "sliding_attention": PLAIN},
        },
        {
            "layer_types": BOTH_TYPES,
            "rope_scaling": PROPORTIONAL,
            "partial_rotary_factor": 0.25,
        },
        {"sliding_window_pattern": 2, "rope_scaling": OLD_TYPE},
        {
            "layer_types": BOTH_TYPES,
            "rope_parameters": {"full_attention": OLD_TYPE, "sliding_attention": PLAIN},
        },
    ],
    "gemma4_text": [
        {"head_dim": 16, "global_head_dim": 32, "hidden_size_per_layer_input": 0},
        {
            "head_dim": 16,
            "global_head_dim": 32,
            "layer_types": ["sliding_attention"] * 4,
            "rope_parameters": {
                "full_attention": {
                    "rope_type": "proportional",
                    "partial_rotary_factor": 0.5,
                    "rope_theta": 1e4,
                    "factor": 2.0,
                },
                "sliding_attention": {"rope_type": "default", "rope_theta": 321.0},
            },
        },
        {
            "head_dim": 16,
            "global_head_dim": 32,
            "partial_rotary_factor": 0.5,
            "rope_parameters": {
                "full_attention": PROPORTIONAL | {"rope_theta": 1e4},
                "sliding_attention": PLAIN,
            },
        },
    ],
    "phi": [{}, {"partial_rotary_factor": 0.25}, {"rope_scaling": YARN}],
    "phi3": [
        {"partial_rotary_factor": 0.5, "sliding_window": 16},
        {"rope_scaling": LONGROPE, "original_max_position_embeddings": 32},
        {
            "rope_scaling": LONGROPE
            | {"type": "su", "original_max_position_embeddings": 32},
            "original_max_position_embeddings": 64,
        },
    ],
    "gpt_neox": [
        {},
        {"rotary_pct": 0.5, "rotary_emb_base": 500.0},
        {"rope_parameters": {"rope_theta": 77.0, "partial_rotary_factor": 1.0}},
    ],
    "glm": [{"head_dim": 32}, {"partial_rotary_factor": 1.0}],
    "glm4": [{}, {"head_dim": 16, "rope_theta": 77.0}],
    "cohere": [{}, {"rope_scaling": {"rope_type": "dynamic", "factor": 4.0}}],
    "cohere2": [{"sliding_window": 16}, {"sliding_window_pattern": 2}],
    "llama4_text": [
        EXPERTS | {"head_dim": 16, "attention_chunk_size": 32},
        EXPERTS | {"no_rope_layers": [], "rope_scaling": LLAMA3},
        EXPERTS | {"no_rope_layers": [1, 0, 0, 1]},
        EXPERTS | {"no_rope_layer_interval": 2, "attention_chunk_size": None},
    ],
    "smollm3": [
        {"pad_token_id": 0},
        {
            "no_rope_layers": [0, 1, 1, 0],
            "use_sliding_window": True,
            "sliding_window": 8,
        },
        {"no_rope_layer_interval": 2},
    ],
    "deepseek_v2": [
        LATENT,
        LATENT | {"rope_scaling": YARN | {"mscale": 0.7, "mscale_all_dim": 0.7}},
    ],
    "deepseek_v3": [
        LATENT,
        LATENT | {"rope_interleave": False},
        LATENT | {"rope_scaling": YARN | {"mscale": 1.0, "mscale_all_dim": 1.0}},
    ],
    "gpt_oss": [
        EXPERTS | {"sliding_window": 16},
        EXPERTS | {"rope_scaling": YARN | {"truncate": False}, "head_dim": 16},
    ],
    "olmo": [{"rope_theta": 77.0}],
    "olmo2": [{"rope_scaling": {"type": "linear", "factor": 2.0}}],
    "olmo3": [
        {"sliding_window": 16},
        {"rope_scaling": YARN | {"truncate": False}, "rope_theta": 5e5},
        {"rope_theta": 77.0},
        BETWEEN | {"rope_scaling": TRUNCATE},
        BETWEEN
        | {
            "rope_parameters": {
                "full_attention": TRUNCATE | {"rope_theta": 1e4},
                "sliding_attention": PLAIN,
            },
        },
        BETWEEN
        | {
            "rope_parameters": {
                "truncate": False,
                "full_attention": TRUNCATE | {"rope_theta": 1e4, "truncate": True},
                "sliding_attention": PLAIN,
            },
        },
        {"rope_scaling": PROPORTIONAL, "partial_rotary_factor": 0.25},
        {"rope_scaling": OLD_TYPE},
        {"rope_scaling": LONGROPE},
        {
            "rope_scaling": OLD_TYPE,
            "rope_parameters": {"full_attention": PLAIN, "sliding_attention": PLAIN},
        },
        {
            "rope_scaling": OLD_TYPE,
            "rope_parameters": {"full_attention": {}, "sliding_attention": PLAIN},
        },
    ],
    "falcon": [{"rope_theta": 77.0, "alibi": False}],
    "modernbert": [
        {"global_rope_theta": 5000.0, "local_rope_theta": 50.0, "local_attention": 16},
        {"global_attn_every_n_layers": 2},
        {"rope_scaling": {"rope_type": "linear", "factor": 2.0}},
        BETWEEN | {"rope_scaling": TRUNCATE},
        {"rope_scaling": PROPORTIONAL, "partial_rotary_factor": 0.25},
        {"rope_scaling": OLD_TYPE},
    ],
    "qwen2_vl_text": [
        {"rope_scaling": {"type": "mrope", "mrope_section": [2, 3, 3]}},
        {"rope_parameters": {"mrope_section": [2, 3, 3], "rope_theta": 77.0}},
    ],
    "qwen2_5_vl_text": [
        {"rope_scaling": {"type": "mrope", "mrope_section": [4, 2, 2]}},
    ],
    "qwen3_vl_text": [
        {
            "head_dim": 16,
            "rope_scaling": {
                "rope_type": "default",
                "mrope_section": [4, 2, 2],
                "mrope_interleaved": True,
            },
        },
    ],
}


def rope_configs():
    """Each of them whole, with a name."""
    for family, cases in ROPE.items():
        for number, case in enumerate(cases):
            config = {"model_type": family} | SMALL | case
            if family == "gpt_neox":
                config.pop("num_key_value_heads")
            yield f"{family}-{number}", config
