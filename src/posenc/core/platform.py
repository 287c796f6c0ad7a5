"""Platform that Python runs on."""

import sys

#: True if Python itself runs in a browser.
IN_BROWSER = sys.platform == "emscripten"
