import assert from 'node:assert/strict';
import { test } from 'node:test';
import { latestParts, mediaPlaylist, partsAfter, variants } from '../../js/hls/playlist.js';

const media = `#EXTM3U
#EXT-X-TARGETDURATION:2
#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=0.96000
#EXT-X-PART-INF:PART-TARGET=0.32000
#EXT-X-MEDIA-SEQUENCE:41
#EXT-X-MAP:URI="run/opus/init.mp4"
#EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:04:03.000Z
#EXTINF:1.92000,
run/opus/41.m4s
#EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:04:04.920Z
#EXT-X-PART:DURATION=0.32000,URI="run/opus/42.0.m4s",INDEPENDENT=YES
#EXT-X-PART:DURATION=0.32000,URI="run/opus/42.1.m4s",INDEPENDENT=YES
#EXTINF:0.64000,
run/opus/42.m4s
#EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:04:05.560Z
#EXT-X-PART:DURATION=0.32000,URI="run/opus/43.0.m4s",INDEPENDENT=YES
#EXT-X-PART:DURATION=0.32000,URI="run/opus/43.1.m4s",INDEPENDENT=YES
#EXT-X-PRELOAD-HINT:TYPE=PART,URI="run/opus/43.2.m4s"
`;

test('a media playlist gives its parts with their times, and the next one', () => {
  const { map, holdBack, parts, hint } = mediaPlaylist(media);
  assert.equal(map, 'run/opus/init.mp4');
  assert.equal(holdBack, 0.96);
  assert.deepEqual(parts.map(({ segment, index }) => [segment, index]), [[42, 0], [42, 1], [43, 0], [43, 1]]);
  assert.equal(parts[3].date - Date.parse('2026-01-02T03:04:05.560Z'), 320);
  assert.deepEqual([hint.segment, hint.index, hint.uri], [43, 2, 'run/opus/43.2.m4s']);
});

test('a player begins as far behind the live edge as the playlist asks for', () => {
  const playlist = mediaPlaylist(media);
  assert.deepEqual(latestParts(playlist).map(({ uri }) => uri), ['run/opus/42.1.m4s', 'run/opus/43.0.m4s', 'run/opus/43.1.m4s']);
  assert.equal(latestParts({ ...playlist, holdBack: 60 }).length, 4);
  assert.deepEqual(latestParts({ ...playlist, parts: [] }), []);
});

test('parts that were taken are not taken again', () => {
  const { parts } = mediaPlaylist(media);
  assert.deepEqual(partsAfter(parts, { segment: 42, index: 1 }).map(({ segment, index }) => [segment, index]), [[43, 0], [43, 1]]);
  assert.deepEqual(partsAfter(parts, parts.at(-1)), []);
});

test('a multivariant playlist gives its codecs, whose commas separate nothing else', () => {
  const text = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="a,b"\naac.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=2,CODECS="Opus"\nopus.m3u8\n';
  assert.deepEqual(variants(text), [{ codec: 'a,b', uri: 'aac.m3u8' }, { codec: 'Opus', uri: 'opus.m3u8' }]);
});
