const systems = [
  [/iPhone/, 'iPhone'], [/iPad/, 'iPad'], [/Android/, 'Android'], [/CrOS/, 'Chromebook'], [/Windows/, 'Windows'],
  [/Macintosh/, 'Mac'], [/Linux/, 'Linux'],
];
const browsers = [[/Edg/, 'Edge'], [/OPR/, 'Opera'], [/Firefox|FxiOS/, 'Firefox'], [/Chrome|CriOS/, 'Chrome'], [/Safari/, 'Safari']];

/** What a person would call this device, from what its browser says of itself. */
export function deviceName(agent) {
  const find = (list) => list.find(([pattern]) => pattern.test(agent))?.[1];
  return [find(systems), find(browsers)].filter(Boolean).join(', ') || 'Browser';
}
