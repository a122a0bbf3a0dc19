"""A panel card costs one file and one line, as web/README.md describes."""

import shutil

import pytest
from playwright.sync_api import expect

from program import Engine, ROOT

pytestmark = pytest.mark.gate

CARD = """
import { card } from '../shared/controls/card.js';
import { element, setText } from '../shared/drawing/element.js';

/** Sample rate of the engine. */
export default { topic: 'array', needs: ['rate'], make: sampleRateCard };

function sampleRateCard(page, [rate]) {
  const words = element('p', { class: 'sample-rate' });
  page.watch(rate, ([value]) => setText(words, `${value} samples per second`));
  return card('Sample rate', rate.help, words);
}
"""
LINE = "  import('../engine/sample-rate-card.js'),\n"


def test_a_card_is_added_by_one_file_and_one_line(browser, scene, tmp_path):
    web = tmp_path / "web"
    shutil.copytree(ROOT / "web", web)
    (web / "js/engine/sample-rate-card.js").write_text(CARD)
    registry = web / "js/panel/cards.js"
    text = registry.read_text()
    registry.write_text(text.replace("registerCards(\n", "registerCards(\n" + LINE))
    with Engine("--recording", scene, "--web", web) as engine:
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        page = context.new_page()
        page.goto(f"{engine.url}/#array")
        expect(page.get_by_role("region", name="Sample rate")).to_contain_text("48000 samples per second")
        page.get_by_role("tab", name="Engine", exact=True).click()
        readouts = page.get_by_role("region", name="Engine", exact=True).locator(".control-readout")
        expect(readouts.first).to_be_visible()
        expect(readouts.filter(has=page.get_by_text("Rate", exact=True))).to_have_count(0)
        context.close()
