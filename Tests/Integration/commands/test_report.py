"""The report of `vestibule evaluate` in a browser: it fits a desk and a phone, and its lines differ without colour."""

import pytest

from program import run

pytestmark = pytest.mark.gate

METHODS = ["nearest", "linear", "two-band-fixed", "two-band", "two-band-spectral", "ring", "ring-spectral"]

# Dash pattern and marker of every curve, plot by plot; and of every entry of the legend.
CURVES = """(selector) => [...document.querySelectorAll(selector)].map((plot) =>
  [...plot.querySelectorAll('.curve')].map((curve) => [
    getComputedStyle(curve).strokeDasharray, curve.parentElement.querySelector('.marker')?.getAttribute('d')]))"""


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    run("evaluate", "--quick", "--microphones", 16, "--output", folder)
    return folder / "report.html"


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (390, "dark")])
def test_the_report_fits_and_needs_no_colour(browser, report, width, scheme, screenshots):
    page = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme).new_page()
    page.goto(report.as_uri())
    page.screenshot(path=screenshots / f"report-{width}-{scheme}.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    tables = page.evaluate("[...document.querySelectorAll('.scroll')].map((each) => [each.scrollWidth, each.clientWidth])")
    assert len(tables) > 2
    if width == 1200:
        assert all(inner <= outer for inner, outer in tables), tables
    plots = page.evaluate(CURVES, ".plots > svg") + page.evaluate(CURVES, ".legend")
    assert len(plots) > 2
    for curves in plots:
        assert len(curves) == len(METHODS)
        dashes, markers = zip(*curves)
        assert len(set(dashes)) == len(curves) and len(set(markers)) == len(curves) and None not in markers
    # The legend is that of the plots.
    assert [sorted(map(str, plots[0]))] * len(plots) == [sorted(map(str, curves)) for curves in plots]
    page.context.close()
