/** Attributes of a tag: `A=1,B="x,y"`. */
export function attributes(text) {
  const found = {};
  for (const [, name, quoted, plain] of text.matchAll(/([A-Z0-9-]+)=(?:"([^"]*)"|([^,]*))/g)) found[name] = quoted ?? plain;
  return found;
}

/** The tags and addresses of a playlist in their order: `{ tag, value }` and `{ uri }`. */
function* lines(text) {
  for (const line of text.split(/\r?\n/)) {
    const tag = /^#(EXT[A-Z0-9-]*)(?::(.*))?$/.exec(line);
    if (tag) yield { tag: tag[1], value: tag[2] ?? '' };
    else if (line && !line.startsWith('#')) yield { uri: line };
  }
}

/** The renditions of a multivariant playlist: `{ codec, uri }`. */
export function variants(text) {
  const found = [];
  let codec = null;
  for (const { tag, value, uri } of lines(text)) {
    if (tag === 'EXT-X-STREAM-INF') codec = attributes(value).CODECS;
    else if (uri && codec !== null) {
      found.push({ codec, uri });
      codec = null;
    }
  }
  return found;
}

/**
 * A media playlist: `map` (address of the initialization segment), `holdBack` in seconds, the `parts` that it lists, and the `hint` of the
 * next one.
 *
 * A part has the number of its `segment`, its `index` there, its `duration` in seconds, its `date` in milliseconds since 1970, and its
 * `uri`.
 */
export function mediaPlaylist(text) {
  const made = { map: null, holdBack: 3, parts: [], hint: null };
  let segment = 0;
  let date = NaN;
  let index = 0;
  for (const { tag, value, uri } of lines(text)) {
    if (uri) {
      segment += 1;
      index = 0;
    }
    switch (tag) {
      case 'EXT-X-MEDIA-SEQUENCE':
        segment = Number(value);
        break;
      case 'EXT-X-MAP':
        made.map = attributes(value).URI;
        break;
      case 'EXT-X-SERVER-CONTROL':
        made.holdBack = Number(attributes(value)['PART-HOLD-BACK'] ?? 3);
        break;
      case 'EXT-X-PROGRAM-DATE-TIME':
        date = Date.parse(value);
        break;
      case 'EXT-X-PART': {
        const { DURATION, URI } = attributes(value);
        const duration = Number(DURATION);
        made.parts.push({ segment, index, duration, date, uri: URI });
        date += 1000 * duration;
        index += 1;
        break;
      }
      case 'EXT-X-PRELOAD-HINT':
        made.hint = { segment, index, date, uri: attributes(value).URI };
        break;
      default:
    }
  }
  return made;
}

/** The parts of a playlist after a place, `{ segment, index }`. */
export const partsAfter = (parts, { segment, index }) =>
  parts.filter((part) => part.segment > segment || (part.segment === segment && part.index > index));

/** The latest parts that together last as long as a player stays behind the live edge. */
export function latestParts({ parts, holdBack }) {
  let from = parts.length;
  for (let seconds = 0; from > 0 && seconds < holdBack - 0.01;) seconds += parts[--from].duration;
  return parts.slice(from);
}
