import { TakePicture } from './take-picture.js';
import { TakePlayer } from './take-player.js';
import { exactTime, lossText, playableFile, shortName, sourceText, stateText } from './takes.js';
import { sizeText } from '../shared/controls/upload-kinds.js';
import { element } from '../shared/drawing/element.js';
import { counted } from '../shared/numbers/units.js';

/**
 * A take in the list: its name, date and outline, with its files to download.
 *
 * @param remove called with the take and its button
 */
export class TakeRow {
  constructor(take, remove) {
    this.picture = take.overview.length > 0 ? new TakePicture(take) : null;
    const title = shortName(take.name) || 'Unnamed take';
    const address = ({ name }) => `/takes/${encodeURIComponent(take.name)}/${encodeURIComponent(name)}`;
    const sound = playableFile(take.files);
    this.player = sound ? new TakePlayer(address(sound), title, this.picture) : null;
    const [loss, state] = [lossText(take), stateText(take)];
    const date = new Date(take.date);
    this.element = element('li', { class: 'take', 'data-take': take.name },
      element('div', { class: 'take-head' },
        element('strong', { class: 'take-name' }, title),
        element('span', { class: 'take-length' }, exactTime(take.seconds))),
      element('p', { class: 'help' },
        element('time', { datetime: take.date }, date.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })),
        ` · ${sourceText(take.files)} · ${sizeText(take.size)}`),
      this.picture?.element,
      loss && element('p', { class: 'take-loss' }, loss),
      state && element('p', { class: 'take-loss' }, state),
      this.player?.problem,
      element('div', { class: 'take-actions' },
        this.player?.button,
        element('details', { class: 'more take-files' },
          element('summary', { 'aria-label': `Files of ${title}` }, counted(take.files.length, 'file')),
          element('ul', {}, take.files.map((file) => element('li', {},
            element('a', { href: address(file), download: file.name }, file.name),
            element('span', { class: 'help' }, sizeText(file.size)))))),
        element('button', {
          type: 'button', class: 'plain take-delete', 'aria-label': `Delete ${title}`,
          onclick: ({ currentTarget }) => remove(take, currentTarget),
        }, 'Delete')));
  }

  end() {
    this.player?.end();
    this.picture?.end();
  }
}
