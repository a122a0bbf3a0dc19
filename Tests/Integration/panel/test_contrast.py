"""Disabled controls can be read in both colour schemes: their contrast by WCAG 2.2, computed from the colours in force."""

import pytest

from chromium import live_page, painted
from waiting import until

pytestmark = pytest.mark.gate

# Text needs 4.5, symbols alone 3 (WCAG 1.4.3 and 1.4.11, which leave disabled controls out; people have to read them all the same).
TEXT, SYMBOL = 4.5, 3.0

# Every visible disabled control: its words, its colour, and the grounds below it from the nearest to the farthest, with opacities. Null
# while the page is dimmed, because the engine is silent, or one of these colours is changing.
LOOK = """
() => document.documentElement.dataset.link !== 'live' || document.getAnimations().some((each) => each instanceof CSSTransition
    && (each.effect.target.matches(':disabled') || each.effect.target.querySelector(':disabled'))) ? null
  : [...document.querySelectorAll(':disabled')].filter((part) => part.checkVisibility({ visibilityProperty: true })
    && !['range', 'checkbox', 'radio', 'color'].includes(part.type) && !['FIELDSET', 'OPTION'].includes(part.tagName)).map((part) => {
  const layers = [];
  for (let at = part; at; at = at.parentElement) {
    const style = getComputedStyle(at);
    layers.push([style.backgroundColor, Number(style.opacity)]);
  }
  const inner = part.querySelector('span, small, svg') ?? part;
  return { words: (part.innerText || part.value || '').trim(), name: part.outerHTML.slice(0, 160), colour: getComputedStyle(inner).color,
    own: inner === part ? 1 : Number(getComputedStyle(inner).opacity), layers };
})
"""


def disabled(page):
    """Every visible disabled control."""
    return until(lambda: (look := page.evaluate(LOOK)) is not None and [look])[0]


def colour(text):
    """Red, green, blue from 0 to 1, and the opacity, of `rgb(…)` or `rgba(…)`."""
    numbers = [float(number) for number in text[text.index("(") + 1:-1].replace(",", " ").replace("/", " ").split()]
    return [number / 255 for number in numbers[:3]], numbers[3] if len(numbers) > 3 else 1.0


def over(top, share, below):
    return [share * a + (1 - share) * b for a, b in zip(top, below)]


def luminance(rgb):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    light, dark = sorted([luminance(one), luminance(other)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


def seen(control):
    """Colours of a control's words and of its ground, as painted: each element is laid over those behind it with its opacity."""
    ink, ink_share = colour(control["colour"])
    layers = [(*colour(text), opacity) for text, opacity in control["layers"]]
    ground = [1.0, 1.0, 1.0]
    for rgb, share, _ in reversed(layers):
        ground = over(rgb, share, ground)
    share = ink_share * control["own"]
    for _, _, opacity in layers:
        share *= opacity
    return over(ink, share, ground), ground


def test_the_measure_of_contrast():
    """Values of the WCAG's own examples."""
    assert abs(contrast([0, 0, 0], [1, 1, 1]) - 21) < 1e-9
    grey = [0x77 / 255] * 3
    assert abs(contrast(grey, [1, 1, 1]) - 4.48) < 0.01
    faint = {"colour": "rgb(0, 0, 0)", "own": 1, "layers": [["rgba(0, 0, 0, 0)", 0.4], ["rgb(255, 255, 255)", 1]]}
    assert contrast(*seen(faint)) < TEXT


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_disabled_controls_can_be_read(browser, engine, scheme):
    context, page, complaints = live_page(browser, engine.url, viewport={"width": 1440, "height": 900}, color_scheme=scheme)
    found = {}
    for tab in page.get_by_role("tab").all():
        tab.click()
        painted(page)
        for control in disabled(page):
            found[control["name"]] = (contrast(*seen(control)), TEXT if control["words"] else SYMBOL)
    context.close()
    for name, (value, wanted) in sorted(found.items(), key=lambda item: item[1]):
        print(round(value, 2), wanted, name[:110])
    assert len(found) > 5 and complaints == []
    assert not {name: value for name, value in found.items() if value[0] < value[1]}
