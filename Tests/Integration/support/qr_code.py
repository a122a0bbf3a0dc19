"""Reads QR codes as a camera does, with a decoder that is independent of the encoder."""

import io
import re

import zxingcpp
from PIL import Image


def texts(image):
    return [found.text for found in zxingcpp.read_barcodes(image)]


def on_screen(locator):
    """Returns the content of the only code in a screenshot of an element."""
    (text,) = texts(Image.open(io.BytesIO(locator.screenshot())))
    return text


def in_terminal(output, scale=4):
    """Returns the content of every code in terminal output: half blocks, light on dark."""
    found = []
    plain = re.sub(r"\x1b\[[0-9;]*m", "", output)
    for block in re.findall(r"(?:^[█▀▄ ]{20,}\r?\n)+", plain, re.M):
        lines = block.splitlines()
        image = Image.new("L", (max(map(len, lines)) * scale, 2 * len(lines) * scale), 0)
        for y, line in enumerate(lines):
            for x, character in enumerate(line.rstrip("\r")):
                for half, lit in enumerate((character in "█▀", character in "█▄")):
                    if lit:
                        left, top = x * scale, (2 * y + half) * scale
                        image.paste(255, (left, top, left + scale, top + scale))
        found += texts(image)
    return found
