const textAt = (bytes: Buffer, start: number, end: number): string => bytes.toString('latin1', start, end);

const MATROSKA = 0x1a45dfa3;

/** The format of a recording by its first bytes, as chat names it: at least 12 of them. Undefined for any other file. */
export function recordingFormatOf(bytes: Buffer): string | undefined {
  if (bytes.length < 12) return undefined;
  const mark = textAt(bytes, 0, 4);
  if (mark === 'RIFF') return textAt(bytes, 8, 12) === 'WAVE' ? 'wav' : undefined;
  if (mark === 'FORM') return textAt(bytes, 8, 11) === 'AIF' ? 'aiff' : undefined;
  if (mark === 'fLaC') return 'flac';
  if (mark === 'OggS') return 'ogg';
  if (textAt(bytes, 4, 8) === 'ftyp') return 'm4a';
  if (bytes.readUInt32BE(0) === MATROSKA) return 'webm';
  return mark.startsWith('ID3') ? 'mp3' : formatOfFrame(bytes.readUInt16BE(0));
}

/** MPEG audio: eleven sync bits, the version, and the layer, which ADTS sets to 0. */
function formatOfFrame(head: number): 'mp3' | 'aac' | undefined {
  const layer = (head >>> 1) & 3;
  if (head >>> 4 === 0xfff && layer === 0) return 'aac';
  return head >>> 5 === 0x7ff && layer === 1 ? 'mp3' : undefined;
}
