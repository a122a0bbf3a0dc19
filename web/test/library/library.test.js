import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aboutMessage, coverAddress, isDescribable, tagsIn, tagsOf, titleOf } from '../../js/library/about.js';
import { archiveDetails, archiveState, archiveText, exportAddress, isArchiveBusy } from '../../js/library/archive.js';
import { addressOf, chosen, factsText, kindFor, lengthText, outlineOf, totalText } from '../../js/library/library.js';
import { bandCentre, frequencyText, spectrogramOf, spectrogramText } from '../../js/library/spectrogram.js';
import { groupName, isCorrectable, listText, monoGroups, ringText } from '../../js/library/ring.js';
import { isPlayable } from '../../js/library/library-row.js';

const file = (name, more = {}) => ({ place: 'recordings', kind: 'recordings', name, size: 1, changed: 0, isReadOnly: false, ...more });

test('files are found by all words of the search, by kind, and put in order', () => {
  const files = [
    file('garden 10.wav', { size: 5, sound: { seconds: 3, loudness: -20 } }), file('Garden 2.wav', { size: 9, changed: 7 }),
    file('kemar.sofa', { kind: 'hrtf', place: 'hrtf' }),
  ];
  const names = (choice) => chosen(files, choice).map(({ name }) => name);
  assert.deepEqual(names({}), ['Garden 2.wav', 'garden 10.wav', 'kemar.sofa']);
  assert.deepEqual(names({ search: 'WAV gard' }), ['Garden 2.wav', 'garden 10.wav']);
  assert.deepEqual(names({ search: 'nothing' }), []);
  assert.deepEqual(names({ kind: 'hrtf' }), ['kemar.sofa']);
  assert.deepEqual(names({ order: 'size' })[0], 'Garden 2.wav');
  assert.deepEqual(names({ order: 'loudness' })[0], 'garden 10.wav');
  assert.deepEqual(names({ order: 'changed' })[0], 'Garden 2.wav');
});

test('facts and totals are told in words', () => {
  const sound = { seconds: 62.4, channels: 16, rate: 48000, loudness: -23.04, peak: -6 };
  assert.equal(factsText(file('a.wav', { sound, size: 2048 })),
    'Recording · 1:02 · 16 channels · 48 kHz · −23.0 LUFS · peak −6.0 dB · 2 KiB');
  assert.match(factsText(file('a.wav', { sound: { seconds: 1, channels: 1, rate: 44100 } })), /44\.1 kHz · silent/);
  assert.match(factsText(file('a.wav', { place: 'folder1' })), /read only$/);
  const video = { width: 3840, height: 2160, rate: 29.97, seconds: 12.5, codec: 'h264', layout: 'top-bottom', isEquirectangular: true };
  assert.equal(factsText(file('a.mp4', { kind: 'videos', video, size: 1024 })),
    'Video · 0:13 · 3840 × 2160 · 29.97 frames/s · h264 · 360° · stereo, one above the other · 1 KiB');
  const unknown = { width: 320, height: 240, codec: 'vp8', layout: 'mono', isEquirectangular: false };
  assert.equal(factsText(file('a.webm', { kind: 'videos', video: unknown, size: 1024 })), 'Video · 320 × 240 · vp8 · 1 KiB');
  const hrtf = { directions: 710, samples: 512, rate: 44100, lowest: -40, highest: 90 };
  assert.equal(factsText(file('a.sofa', { kind: 'hrtf', hrtf, size: 1024 })),
    'HRTF · 710 directions · 512 samples at 44.1 kHz · elevation −40° to 90° · 1 KiB');
  assert.match(factsText(file('ring', { isFolder: true, sound })), /16 channels.*folder of mono files/);
  assert.deepEqual([0, 0.0421, 0.999, 1, 4.6, 600, 3723].map(lengthText), ['0 s', '0.042 s', '1 s', '0:01', '0:05', '10:00', '1:02:03']);
  const short = { seconds: 0.2, channels: 1, rate: 44100, peak: -20 };
  assert.match(factsText(file('a.wav', { sound: short })), /0\.2 s .* 44\.1 kHz · peak −20/);
  assert.equal(totalText({ files: [1, 2], size: 2 ** 20, waiting: 1 }), '2 files, 1 MiB; reading 1 file.');
  assert.equal(totalText({ files: [1], size: 0, limit: 2 ** 30, waiting: 0 }), '1 file, 0 bytes of 1 GiB.');
});

test('addresses keep the slash of takes and nothing else', () => {
  assert.equal(addressOf(file('a b?#%/ears 1.wav', { place: 'takes' })), '/library/takes/a%20b%3F%23%25/ears%201.wav');
});

test('outlines and what browsers play', () => {
  assert.deepEqual(outlineOf('00ff33'), [0, 1, 0.2]);
  assert.ok(isPlayable(file('a.WAV', { sound: { channels: 2 } })));
  assert.ok(isPlayable(file('a.wav', { sound: { channels: 16 } })) && !isPlayable(file('a.w64', { sound: { channels: 16 } })));
  assert.ok(isPlayable(file('a.bw64', { sound: { channels: 16 } })));
  assert.ok(!isPlayable(file('a.w64', { sound: { channels: 2 } })));
  assert.ok(!isPlayable(file('a.json')));
});

test('a file that fits several kinds is sent as the one that is shown', () => {
  const accepted = [{ name: 'recordings', endings: ['wav'] }, { name: 'sidecars', endings: ['json'] }, { name: 'sounds', endings: ['wav'] },
    { name: 'presets', endings: ['json'] }];
  assert.equal(kindFor('a.wav', accepted, '').name, 'recordings');
  assert.equal(kindFor('a.WAV', accepted, 'sounds').name, 'sounds');
  assert.equal(kindFor('a.json', accepted, '').name, 'presets');
  assert.equal(kindFor('a.exe', accepted, ''), undefined);
});

test('the state of archives is told in words', () => {
  assert.equal(archiveState(''), null);
  assert.equal(archiveState('{'), null);
  const exporting = archiveState('{"phase":"exporting","name":"a.tar.zst","share":0.42}');
  assert.ok(isArchiveBusy(exporting));
  assert.equal(archiveText(exporting), 'Exporting, 42 %.');
  const exported = { phase: 'exported', name: 'a b.tar.zst', files: 1, size: 2048, leftOutCount: 2, leftOut: [{ file: 'x', reason: 'y' }] };
  assert.ok(!isArchiveBusy(exported));
  assert.equal(archiveText(exported), 'The archive has 1 file, 2 KiB. Skipped: 2 files.');
  assert.deepEqual(archiveDetails(exported), [['x', 'skipped: y']]);
  assert.equal(exportAddress(exported), '/library/exports/a%20b.tar.zst');
  const report = { added: 3, identical: 0, renamed: [{ file: 'x', name: 'x-2' }], adapted: ['s'] };
  const imported = { phase: 'imported', name: 'a', report };
  assert.equal(archiveText(imported), 'a is imported: 3 files added, 0 already existed.');
  assert.deepEqual(archiveDetails(imported).map(([file]) => file), ['x', 's']);
  assert.equal(archiveText({ phase: 'failed', reason: 'No room.' }), 'No room.');
  assert.equal(archiveText(null), '');
});

test('files are described, and found by their description', () => {
  const about = { title: 'Dawn chorus', text: 'Blackbird, 4 a.m.', tags: ['birds', 'May'], cover: 'png', coverChanged: 7 };
  const files = [file('b.wav', { about }), file('a.wav', { about: { tags: ['rain', 'birds'] } }), file('e.wav')];
  const names = (choice) => chosen(files, choice).map(({ name }) => name);
  assert.deepEqual(names({}), ['a.wav', 'b.wav', 'e.wav']);
  assert.deepEqual(names({ search: 'blackbird may' }), ['b.wav']);
  assert.deepEqual(names({ tag: 'birds' }), ['a.wav', 'b.wav']);
  assert.deepEqual(names({ tag: 'Birds' }), []);
  assert.deepEqual(tagsOf(files), ['birds', 'May', 'rain']);
  assert.deepEqual(files.map(titleOf), ['Dawn chorus', 'a.wav', 'e.wav']);
  assert.equal(coverAddress(file('a b/c.wav', { place: 'takes', about })), '/library/covers/takes/a%20b/c.wav.png?7');
  assert.equal(coverAddress(files[2]), null);
  assert.ok(!isDescribable(file('a.wav', { place: 'folder1' })));
  assert.ok(isDescribable(files[0]));
  assert.deepEqual(tagsIn(' a, b ,,a'), ['a', 'b']);
  assert.deepEqual(JSON.parse(aboutMessage(files[0], { title: ' x ', text: '', tags: 'a,b' })),
    { file: 'recordings/b.wav', title: 'x', text: null, tags: ['a', 'b'] });
  assert.equal(JSON.parse(aboutMessage(files[0], { title: '', text: '', tags: '', cover: null })).cover, null);
});

test('spectrograms are levels, and are told in words', () => {
  const sent = { columns: 3, rows: 2, lowest: 100, highest: 10_000, floor: -70, levels: 'z0z00z' };
  const spectrogram = spectrogramOf(sent);
  assert.deepEqual([spectrogram.level(0, 0), spectrogram.level(0, 1), spectrogram.level(2, 1)], [0, -70, 0]);
  assert.ok(Math.abs(bandCentre(spectrogram, 0) - 100 * 100 ** 0.25) < 0.01);
  assert.equal(spectrogramText(spectrogram),
    'Spectrogram: strongest near 320 Hz at the beginning, 320 Hz in the middle and 3.2 kHz at the end');
  assert.equal(spectrogramText(spectrogramOf({ ...sent, levels: 'z0z0z0' })), 'Spectrogram: strongest near 320 Hz');
  assert.deepEqual([41.2, 999, 1234, 12_345].map(frequencyText), ['41 Hz', '1 kHz', '1.2 kHz', '12 kHz']);
  for (const levels of ['', 'zz', undefined]) assert.equal(spectrogramOf({ ...sent, levels }), null);
  assert.equal(spectrogramOf({}), null);
});

test('findings about rings are told in words', () => {
  const right = { order: 'right', inverted: [], silent: [], margin: 0 };
  assert.equal(ringText(undefined), '');
  assert.equal(ringText(right), '');
  assert.ok(!isCorrectable(right) && !isCorrectable(undefined));
  const wrong = { ...right, order: 'wrong', channels: [1, 3, 2, 4], inverted: [4], margin: 21.7 };
  assert.equal(ringText(wrong), 'Channel 4 inverted. Channels 2 and 3 in the wrong order (by 22 dB).');
  assert.ok(isCorrectable(wrong));
  assert.match(ringText({ ...right, silent: [1, 2, 3] }), /Channels 1, 2 and 3 without sound/);
  assert.equal(
    ringText({ ...right, unconnected: [2], mixes: [9], copies: [[1, 3]] }),
    'Channel 2 not connected. Channel 9: a mix of others. Channels 1 and 3 with the same sound.');
  assert.deepEqual([[], [1], [1, 2]].map(listText), ['', '1', '1 and 2']);
});

test('mono files that can be one ring are found', () => {
  const mono = (name, more = {}) => file(name, { place: 'sounds', sound: { channels: 1, rate: 48000, seconds: 2, ...more } });
  const files = [mono('mic 10.wav'), mono('mic 2.wav'), mono('mic 1.wav'), mono('mic 3.wav'), mono('rain.wav'),
    mono('mic 4.wav', { rate: 44100 }), mono('mic 5.wav', { channels: 2 })];
  const groups = monoGroups(files);
  assert.deepEqual(groups.map((group) => group.map(({ name }) => name)), [['mic 1.wav', 'mic 2.wav', 'mic 3.wav', 'mic 10.wav']]);
  assert.equal(groupName(groups[0]), 'mic');
  assert.equal(groupName([file('1.wav'), file('2.wav')]), 'ring');
  assert.deepEqual(monoGroups(files.slice(0, 3)), []);
});
