import { Player } from './player.js';

const worklet = new URL('./listen-worklet.js', import.meta.url);
/** Block size in frames where there are no worklets: 21 ms at 48 kHz. */
const scriptFrames = 1024;

/** Prepares a context for outputs. */
export async function prepare(context) {
  await Promise.all([context.resume(), context.audioWorklet?.addModule(worklet)]);
}

/**
 * A node that plays packets: `{ node, push(number, samples), end() }`.
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
    push: (number, samples) => node.port.postMessage({ number, samples }, [samples.buffer]),
    end: () => node.port.postMessage('end'),
  };
}

function scriptOutput(context, rate, report) {
  const player = new Player(rate, context.sampleRate, report);
  const node = context.createScriptProcessor(scriptFrames, 0, 2);
  node.onaudioprocess = ({ outputBuffer: output }) => player.play(output.getChannelData(0), output.getChannelData(1));
  return {
    node,
    push: (number, samples) => player.push(number, samples),
    end: () => { node.onaudioprocess = null; },
  };
}
