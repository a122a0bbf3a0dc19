import { kinds } from './library.js';
import { sizeText } from '../shared/controls/upload-kinds.js';
import { counted } from '../shared/numbers/units.js';

/** Kinds of files that an archive may have, and whether it has them unless chosen otherwise. */
export const archiveKinds = {
  sessions: true, recordings: true, sounds: true, responses: true, hrtf: true, presets: true, motion: true, rooms: true, takes: false,
  tests: false, results: false,
};

/** Words for a kind of files in an archive. */
export const archiveKindTitle = (kind) => ({ recordings: 'Recordings and videos', results: 'Test results' })[kind] ?? kinds[kind][1];

/** The state of exports and imports; null before the first, and for text that is not JSON. */
export function archiveState(text) {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

/** Whether an export or import is under way. */
export const isArchiveBusy = (state) => state?.phase === 'exporting' || state?.phase === 'importing';

/** The state in words; empty for none. */
export function archiveText(state) {
  switch (state?.phase) {
    case 'exporting': return `Exporting, ${Math.round(100 * (state.share ?? 0))} %.`;
    case 'importing': return `Importing ${state.name}, ${Math.round(100 * (state.share ?? 0))} %.`;
    case 'exported': {
      const left = state.leftOutCount > 0 ? ` Skipped: ${counted(state.leftOutCount, 'file')}.` : '';
      return `The archive has ${counted(state.files, 'file')}, ${sizeText(state.size)}.${left}`;
    }
    case 'imported': {
      const { added, identical } = state.report;
      return `${state.name} is imported: ${counted(added, 'file')} added, ${identical} already existed.`;
    }
    case 'cancelled': return 'Cancelled. Nothing was changed.';
    case 'failed': return state.reason;
    default: return '';
  }
}

/** Files of which the state reports something: pairs of a name and words. */
export function archiveDetails(state) {
  if (state?.phase === 'exported') return (state.leftOut ?? []).map(({ file, reason }) => [file, `skipped: ${reason}`]);
  if (state?.phase !== 'imported') return [];
  return [
    ...state.report.renamed.map(({ file, name }) => [file, `is ${name}: there is another file with that name`]),
    ...state.report.adapted.map((file) => [file, 'now refers to the files at their paths here']),
  ];
}

/** The address of an archive that was exported. */
export const exportAddress = ({ name }) => `/library/exports/${encodeURIComponent(name)}`;
