import { element } from './element.js';

/** The pages of the panel: a topic of the tree each. What has no topic stands on the last. */
export const topics = ['head', 'effects', 'objects', 'trackers', 'array', 'session', 'engine'];

/** What a container, or the next one around it, is about. */
export function topicOf(container) {
  for (let node = container; node; node = node.parent) {
    const topic = topics.find((each) => node.has(`topic.${each}`));
    if (topic) return topic;
  }
  return topics.at(-1);
}

/** The pages of the panel, one at a time: tabs, and the address's fragment, say which. */
export class Views {
  #tabs = new Map();
  #panels = new Map();
  #chosen = topics[0];

  /**
   * @param tabList where the tabs go
   * @param place where the pages go
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

  /** @param parts what stands on each page, a map from topics to lists of elements */
  fill(parts) {
    for (const [topic, panel] of this.#panels) {
      const inside = parts.get(topic) ?? [];
      panel.replaceChildren(...inside);
      this.#tabs.get(topic).hidden = inside.length === 0;
    }
    this.#mark();
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

  /** Arrow keys go along the tabs, as in every list of tabs. */
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
