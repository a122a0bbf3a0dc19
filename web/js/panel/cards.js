import { registerCards } from './card-registry.js';

/** All cards of the panel, in their order on the pages. web/README.md describes how to add one. */
export const cards = await registerCards(
  import('../head/levels-card.js'),
  import('../head/latency-card.js'),
  import('../head/method-card.js'),
  import('../head/abx-card.js'),
  import('../effects/racks-card.js'),
  import('../effects/tuner-card.js'),
  import('../effects/looper-card.js'),
  import('../effects/metronome-card.js'),
  import('../effects/cues-card.js'),
  import('../midi/midi-card.js'),
  import('../objects/objects-card.js'),
  import('../trackers/trackers-card.js'),
  import('../trackers/latency-stages-card.js'),
  import('../session/session-card.js'),
  import('../session/scenes-card.js'),
  import('../cue-list/cue-list-card.js'),
  import('../session/recording-card.js'),
  import('../takes/takes-card.js'),
  import('../session/listening-test-card.js'),
  import('../engine/engine-card.js'),
  import('../engine/device-card.js'),
  import('../engine/clients-card.js'),
  import('../engine/pairing-card.js'),
  import('./notices-card.js'),
);
