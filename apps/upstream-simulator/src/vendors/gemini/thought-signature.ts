/** On every first call of a response, as base64. */
export const SIGNATURE = 'c2ltdWxhdGVkLXRob3VnaHQtc2lnbmF0dXJl';

/** What the vendor documents for calls that another model made. */
const STAND_INS: ReadonlySet<string> = new Set([
  'skip_thought_signature_validator',
  'context_engineering_is_the_way_to_go',
]);

/** False for a signature of another vendor. Clients send a stand-in as it is, or as base64 of its bytes. */
export const isThoughtSignature = (signature: unknown): boolean =>
  typeof signature === 'string' &&
  (signature === SIGNATURE ||
    STAND_INS.has(signature) ||
    STAND_INS.has(Buffer.from(signature, 'base64').toString('utf8')));
