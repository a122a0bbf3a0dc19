import { nodesByRole } from '../shared/tree/tree.js';
import { roles } from '../shared/tree/roles.js';

/** Nodes of the cue list by their roles; null when the engine has none. */
export function cueListOf(root) {
  const go = root.find(roles.cueListGo);
  return go && {
    entries: root.findAll(roles.cueListEntry),
    ...nodesByRole(root, {
      go: roles.cueListGo, back: roles.cueListBack, select: roles.cueListSelect, stop: roles.cueListStop, store: roles.cueListStore,
      renumber: roles.cueListRenumber, clear: roles.cueListClear, triggers: roles.cueListTriggers, current: roles.cueListCurrent,
      standby: roles.cueListStandby, waiting: roles.cueListWaiting, remaining: roles.cueListRemaining,
    }),
  };
}
