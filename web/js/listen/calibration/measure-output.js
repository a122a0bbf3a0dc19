/** Measures the delay of a player's output with the microphone, and reports its progress. */
export async function measureOutput(player, view) {
  const { context, words } = player ?? {};
  if (context?.state !== 'running') {
    view.sayDelay(`Press ${words?.go ?? 'Play'} first: the measurement needs the sound.`, true);
    return;
  }
  view.sayDelay('Three chirps are played. Hold the headphones to the microphone.');
  try {
    const { calibrate } = await import('./output-calibration.js');
    const { total, extra } = await calibrate(context);
    const [all, unknown] = [total, extra].map((seconds) => Math.round(1000 * seconds));
    view.sayDelay(`Measured: ${all} ms to the microphone, ${unknown} ms more than the browser reports. `
      + 'Groups take it into account in this browser.');
  } catch (error) {
    view.sayDelay(error.message, true);
  }
}
