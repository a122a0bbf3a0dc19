import { element } from '../shared/drawing/element.js';
import { fragment, listenerIn, topicIn } from './address.js';
import { icon } from '../shared/drawing/icons.js';

/** Pages of the panel, one for each topic of the tree. Containers without a topic are shown on the last. */
export const topics = ['head', 'effects', 'objects', 'trackers', 'array', 'session', 'library', 'engine'];

/** Topic of a container, or of the nearest one around it. */
export function topicOf(container) {
  for (let node = container; node; node = node.parent) {
    const topic = topics.find((each) => node.has(`topic.${each}`));
    if (topic) return topic;
  }
  return topics.at(-1);
}

/** Pages of the panel, of which one is shown; tabs and the address's fragment select it. */
export class Views {
  #tabs = new Map();
  #panels = new Map();
  /** Functions that make the elements of those pages that have not been shown yet. */
  #unmade = new Map();
  #chosen = topics[0];

  /**
   * @param tabList element for the tabs
   * @param place element for the pages
   */
  constructor(tabList, place) {
    for (const topic of topics) {
      const title = topic[0].toUpperCase() + topic.slice(1);
      const tab = element('button', {
        type: 'button', class: 'tab', role: 'tab', id: `tab-${topic}`, 'aria-controls': `view-${topic}`,
        onclick: () => this.choose(topic),
      }, icon(topic, 22), element('span', { class: 'tab-title' }, title));
      const panel = element('div', {
        class: 'view', role: 'tabpanel', id: `view-${topic}`, 'aria-labelledby': tab.id, 'data-topic': topic,
      });
      this.#tabs.set(topic, tab);
      this.#panels.set(topic, panel);
    }
    tabList.append(...this.#tabs.values());
    tabList.addEventListener('keydown', (event) => this.#step(event));
    place.append(...this.#panels.values());
    this.scroller = place.parentElement;
    for (const change of ['hashchange', 'popstate']) window.addEventListener(change, () => this.#follow());
    this.#follow();
  }

  /** Shows another page. */
  choose(topic) {
    if (topicIn(location.hash) === topic) return;
    history.pushState(null, '', fragment(topic, listenerIn(location.hash)));
    this.#follow();
  }

  /** Empties all pages. Each is filled when it is first shown. @param pages map from topics to functions that make elements */
  fill(pages) {
    this.#unmade = new Map(pages);
    for (const [topic, panel] of this.#panels) {
      panel.replaceChildren();
      this.#tabs.get(topic).hidden = !pages.has(topic);
    }
    this.#mark();
  }

  #make(topic) {
    const make = this.#unmade.get(topic);
    if (!make) return;
    this.#unmade.delete(topic);
    const inside = make();
    this.#panels.get(topic).replaceChildren(...inside);
    this.#tabs.get(topic).hidden = inside.length === 0;
  }

  /** Shows the page that the address names, the first one without a name. */
  #follow() {
    const topic = topicIn(location.hash) ?? topics[0];
    if (!topics.includes(topic)) return;
    this.#chosen = topic;
    this.#mark();
    this.scroller.scrollTop = 0;
  }

  #mark() {
    this.#make(this.#chosen);
    document.body.dataset.view = this.#chosen;
    for (const [topic, tab] of this.#tabs) {
      const isChosen = topic === this.#chosen;
      tab.setAttribute('aria-selected', isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
      this.#panels.get(topic).hidden = !isChosen;
    }
  }

  /** Moves to another tab by arrow keys, Home and End. */
  #step(event) {
    const there = topics.filter((topic) => !this.#tabs.get(topic).hidden);
    const at = there.indexOf(this.#chosen);
    const to = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1, Home: 0, End: there.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const topic = there[(to + there.length) % there.length];
    this.choose(topic);
    this.#tabs.get(topic).focus();
  }
}
