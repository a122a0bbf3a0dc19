const reasons = {
  listen: 'One tap asks for the motion sensors, so that the scene stays in its place when you turn, starts the sound, and keeps the '
    + 'screen on.',
  tracker: 'One tap asks for the motion sensors, and keeps the screen on.',
};

/** Reason why the main button asks for more than sound. */
export const joinReason = (mode) => reasons[mode] ?? reasons.listen;
