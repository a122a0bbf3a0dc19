import { element } from '../shared/drawing/element.js';

/** Pages of the panel, one for each topic of the tree. Containers without a topic are shown on the last. */
export const topics = ['head', 'effects', 'objects', 'trackers', 'array', 'session', 'engine'];

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
      }, title);
      const panel = element('div', {
        class: 'view', role: 'tabpanel', id: `view-${topic}`, 'aria-labelledby': tab.id, 'data-topic': topic,
      });
      this.#tabs.set(topic, tab);
      this.#panels.set(topic, panel);
    }
    tabList.append(...this.#tabs.values());
    tabList.addEventListener('keydown', (event) => this.#step(event));
    place.append(...this.#panels.values());
    this.tabList = tabList;
    tabList.addEventListener('scroll', () => this.#markOverflow());
    new ResizeObserver(() => this.#markOverflow()).observe(tabList);
    window.addEventListener('hashchange', () => this.#follow());
    this.#follow();
  }

  /** Shows another page. */
  choose(topic) {
    this.#chosen = topic;
    if (location.hash !== `#${topic}`) history.replaceState(null, '', `#${topic}`);
    this.#mark();
    window.scrollTo(0, 0);
  }

  /** Fills the pages. @param parts map from topics to lists of elements */
  fill(parts) {
    for (const [topic, panel] of this.#panels) {
      const inside = parts.get(topic) ?? [];
      panel.replaceChildren(...inside);
      this.#tabs.get(topic).hidden = inside.length === 0;
    }
    this.#mark();
    this.#markOverflow();
  }

  #follow() {
    const topic = location.hash.slice(1);
    if (topics.includes(topic)) this.#chosen = topic;
    this.#mark();
  }

  #mark() {
    document.body.dataset.view = this.#chosen;
    for (const [topic, tab] of this.#tabs) {
      const isChosen = topic === this.#chosen;
      tab.setAttribute('aria-selected', isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
      this.#panels.get(topic).hidden = !isChosen;
      if (isChosen) tab.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }
  }

  /** Fades the edges behind which there are more tabs. */
  #markOverflow() {
    const { scrollLeft, scrollWidth, clientWidth, classList } = this.tabList;
    classList.toggle('has-more-before', scrollLeft > 1);
    classList.toggle('has-more-after', scrollLeft + clientWidth < scrollWidth - 1);
  }

  /** Moves to another tab by arrow keys, Home and End. */
  #step(event) {
    const there = topics.filter((topic) => !this.#tabs.get(topic).hidden);
    const at = there.indexOf(this.#chosen);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: there.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const topic = there[(to + there.length) % there.length];
    this.choose(topic);
    this.#tabs.get(topic).focus();
  }
}
