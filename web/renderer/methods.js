/** The interpolation methods. Generated from Sources/Realtime/Binaural/Methods; a test keeps both equal. */
export const allMethods = Object.freeze([
  { name: 'nearest', title: 'Nearest microphone', number: 0, needsHRTF: false },
  { name: 'linear', title: 'Linear', number: 1, needsHRTF: false },
  { name: 'two-band-fixed', title: 'Two bands, fixed', number: 2, needsHRTF: false },
  { name: 'two-band', title: 'Two bands', number: 3, needsHRTF: false },
  { name: 'two-band-spectral', title: 'Two bands, spectral', number: 4, needsHRTF: false },
  { name: 'ring', title: 'Ring', number: 5, needsHRTF: false },
  { name: 'ring-spectral', title: 'Ring, spectral: the most exact', number: 6, needsHRTF: false },
  { name: 'hrtf', title: 'Through an HRTF', number: 7, needsHRTF: true },
]);
