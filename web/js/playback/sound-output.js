import { Player } from './player.js';

const worklet = new URL('./listen-worklet.js', import.meta.url);
/** Block size in frames where there are no worklets: 21 ms at 48 kHz. */
const scriptFrames = 1024;

/** Prepares a context for outputs. */
export async function prepare(context) {
  await Promise.all([context.resume(), context.audioWorklet?.addModule(worklet)]);
}

/**
 * A node that plays packets: `{ node, push(start, left, right), follow(origin), place(origin), end() }`.
 *
 * Browsers have worklets only on https and localhost. Elsewhere, for example on a phone in the local network, the page itself
 * plays, which may stutter while the page is busy.
 */
export function soundOutput(context, rate, report) {
  return context.audioWorklet ? workletOutput(context, rate, report) : scriptOutput(context, rate, report);
}

function workletOutput(context, rate, report) {
  const node = new AudioWorkletNode(context, 'listen', {
    numberOfInputs: 0, outputChannelCount: [2], processorOptions: { rate },
  });
  node.port.onmessage = ({ data }) => report(data);
  return {
    node,
    push: (start, left, right) => node.port.postMessage({ start, left, right }, [left.buffer, right.buffer]),
    follow: (origin) => node.port.postMessage({ origin }),
    place: (origin) => node.port.postMessage({ place: origin }),
    end: () => node.port.postMessage('end'),
  };
}

function scriptOutput(context, rate, report) {
  const player = new Player(rate, context.sampleRate, report, context.currentTime);
  const node = context.createScriptProcessor(scriptFrames, 0, 2);
  node.onaudioprocess = ({ outputBuffer: output, playbackTime }) =>
    player.play(output.getChannelData(0), output.getChannelData(1), playbackTime);
  return {
    node,
    push: (start, left, right) => player.push(start, left, right),
    follow: (origin) => player.follow(origin),
    place: (origin) => player.place(origin),
    end: () => { node.onaudioprocess = null; },
  };
}
