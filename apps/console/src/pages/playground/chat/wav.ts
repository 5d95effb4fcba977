const HEADER_BYTES = 44;
const SAMPLE_BYTES = 2;
const PEAK = 0x7fff;

/** A WAV file of one channel with 16 bits a sample, the form that every model for audio takes. Samples: −1 to 1. */
export function wavOf(samples: Float32Array, sampleRate: number): ArrayBuffer {
  const bytes = samples.length * SAMPLE_BYTES;
  const file = new ArrayBuffer(HEADER_BYTES + bytes);
  const view = new DataView(file);
  const text = (at: number, letters: string) => {
    for (const [index, letter] of [...letters].entries()) view.setUint8(at + index, letter.charCodeAt(0));
  };
  text(0, 'RIFF');
  view.setUint32(4, file.byteLength - 8, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * SAMPLE_BYTES, true);
  view.setUint16(32, SAMPLE_BYTES, true);
  view.setUint16(34, SAMPLE_BYTES * 8, true);
  text(36, 'data');
  view.setUint32(40, bytes, true);
  for (const [index, sample] of samples.entries()) {
    const level = Math.round(Math.max(-1, Math.min(1, sample)) * PEAK);
    view.setInt16(HEADER_BYTES + index * SAMPLE_BYTES, level, true);
  }
  return file;
}
