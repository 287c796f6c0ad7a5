"""A class: its members, the penalty for late work, and marks for learning platforms.

nbgrader loads `plugins`, as ``nbgrader_config.py`` of the course says. The other
modules need nothing but Python.
"""
