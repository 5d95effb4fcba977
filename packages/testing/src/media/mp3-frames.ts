export interface Mp3Frame {
  readonly bitrateKbps: number;
  readonly sampleRateHz: number;
  readonly channels: number;
}

/** MPEG version 2, layer III. */
const BITRATES_KBPS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const SAMPLE_RATES_HZ = [22_050, 24_000, 16_000];
const SYNC_AND_VERSION = 0xfff3;

/** Reads the headers of all frames. Throws if bytes lie between two frames or the last one is incomplete. */
export function framesOf(bytes: Buffer): readonly Mp3Frame[] {
  const frames: Mp3Frame[] = [];
  let at = 0;
  while (at < bytes.length) {
    if ((bytes.readUInt16BE(at) | 1) !== SYNC_AND_VERSION) throw new Error(`no frame at byte ${at}`);
    const rates = bytes.readUInt8(at + 2);
    const bitrateKbps = BITRATES_KBPS[rates >> 4] ?? 0;
    const sampleRateHz = SAMPLE_RATES_HZ[(rates >> 2) & 3] ?? 0;
    const padding = (rates >> 1) & 1;
    const channels = bytes.readUInt8(at + 3) >> 6 === 3 ? 1 : 2;
    at += Math.floor((72 * bitrateKbps * 1_000) / sampleRateHz) + padding;
    frames.push({ bitrateKbps, sampleRateHz, channels });
  }
  if (at !== bytes.length) throw new Error('the last frame is not whole');
  return frames;
}
