const systems = [
  [/iPhone/, 'iPhone'], [/iPad/, 'iPad'], [/Android/, 'Android'], [/CrOS/, 'Chromebook'], [/Windows/, 'Windows'],
  [/Macintosh/, 'Mac'], [/Linux/, 'Linux'],
];
const browsers = [[/Edg/, 'Edge'], [/OPR/, 'Opera'], [/Firefox|FxiOS/, 'Firefox'], [/Chrome|CriOS/, 'Chrome'], [/Safari/, 'Safari']];

/** Name of a client, such as "iPhone, Safari", from the user agent of its browser. */
export function clientName(agent) {
  const find = (list) => list.find(([pattern]) => pattern.test(agent))?.[1];
  return [find(systems), find(browsers)].filter(Boolean).join(', ') || 'Browser';
}
