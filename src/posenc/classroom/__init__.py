"""A class: who is in it, what late work costs, and marks for learning platforms.

nbgrader loads `plugins`, as ``nbgrader_config.py`` of the course says. The other
modules need nothing but Python.
"""
