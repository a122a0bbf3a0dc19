import { element } from '../shared/drawing/element.js';
import { roles } from '../shared/tree/roles.js';

/** Line below the head of the panel while the tuner mutes the output, with a button that ends this. */
export class MuteBanner {
  constructor() {
    this.button = element('button', { type: 'button', class: 'plain' }, 'Unmute');
    this.element = element('div', { class: 'banner mute-banner', hidden: true },
      element('p', { role: 'status' }, 'The output is muted for tuning.'), this.button);
  }

  /** Follows to another page, which may belong to another tree. */
  use(page) {
    const mute = page.root.find(roles.tunerMute);
    this.element.hidden = true;
    if (!mute) return;
    this.button.onclick = () => page.send(mute, [false]);
    page.watch(mute, ([isMuted]) => { this.element.hidden = !isMuted; });
  }
}
