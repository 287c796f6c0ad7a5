"""Platform that Python runs on."""

import sys

#: Whether Python itself runs in a browser.
IN_BROWSER = sys.platform == "emscripten"
