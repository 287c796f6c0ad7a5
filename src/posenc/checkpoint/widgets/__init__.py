"""The widget of the chapter on today's models: keys of a config, one after another."""

from .config_keys import ConfigKeys

__all__ = ["ConfigKeys"]
