const HIDDEN = '[credential]';
/** A shorter one is no secret of a vendor, and may be a word of the text. */
const LEAST_CHARACTERS = 16;

/** The body without the credential of its channel: an upstream may repeat it in an error, which the customer reads. */
export function hideCredential(body: Uint8Array, credential: string): Uint8Array {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (credential.length < LEAST_CHARACTERS || !bytes.includes(credential)) return body;
  return Buffer.from(bytes.toString('latin1').replaceAll(credential, HIDDEN), 'latin1');
}
