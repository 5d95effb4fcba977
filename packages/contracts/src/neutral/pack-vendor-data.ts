import { isJsonObject } from '../json/json-object.js';
import { CHAT_PROTOCOL_IDS } from '../models/chat-model-traits.js';
import type { VendorData } from './parts.js';

/** Encodes the data as letters, digits, `_` and `-`: formats allow only those in an id. */
export const packed = ({ protocol, data }: VendorData): string =>
  Buffer.from(JSON.stringify([protocol, data])).toString('base64url');

/** Decodes what `packed` made; undefined for anything else, such as text that a client wrote itself. */
export function unpacked(text: string): VendorData | undefined {
  try {
    const [name, data] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as readonly unknown[];
    const protocol = CHAT_PROTOCOL_IDS.find((id) => id === name);
    return protocol !== undefined && isJsonObject(data) ? { protocol, data } : undefined;
  } catch {
    // `packed` did not make this text.
    return undefined;
  }
}

/** The letters of `["` and the first bits of a protocol's name. */
const OPENING = 'WyJ';

/** True for text that begins as packed data do. A client may have cut it. */
export const beginsPacked = (text: string): boolean => text.startsWith(OPENING);

const BYTES_IN_FOUR_LETTERS = 3;

/** The letters that all packed data of a protocol begin with. */
const startOf = (protocol: string): Buffer => {
  const text = `["${protocol}",`;
  const whole = text.slice(0, text.length - (text.length % BYTES_IN_FOUR_LETTERS));
  return Buffer.from(Buffer.from(whole).toString('base64url'));
};

const STARTS: readonly Buffer[] = CHAT_PROTOCOL_IDS.map(startOf);

/** True if a body may have packed data somewhere. Finds it without parsing. */
export const mayHavePacked = (body: Buffer): boolean => STARTS.some((start) => body.includes(start));
