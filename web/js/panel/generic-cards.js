import { groupCard } from '../shared/controls/card.js';
import { genericContainers } from '../shared/controls/control-kind.js';
import { recordingField } from '../session/recording-field.js';
import { isOwned } from './card-registry.js';
import { topicOf } from './views.js';
import { roles } from '../shared/tree/roles.js';

/** A card for every container with generic controls that no other card replaces, as `cardsOf` returns them. */
export function genericCardsOf(cards, page, { listener, listeners }) {
  const { root } = page;
  const recording = root.find(roles.recording)?.parent;
  const others = listeners.filter((each) => each !== listener).map((each) => each.container);
  const containers = genericContainers(root).filter((container) =>
    !isOwned(cards, root, container) && !others.some((other) => container.isWithin(other)));
  const order = (container) => rank(container, listener, recording);
  return containers.sort((one, other) => order(one) - order(other))
    .map((container) => ({
      topic: topicOf(container), isWide: false, make: () => groupCard(page, container, recordingField(page, container)),
    }));
}

/** The chosen listener first, then the recording, then containers with settings, then those with readings only. */
function rank(container, listener, recording) {
  if (listener && container.isWithin(listener.container)) return 0;
  if (recording === container) return 1;
  return container.children.some((node) => node.isWritable) ? 2 : 3;
}
