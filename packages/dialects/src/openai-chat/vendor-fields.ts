import type { VendorData } from '@gateway/contracts';

/**
 * `extra_content` of a tool call: ai.google.dev/gemini-api/docs/thought-signatures. Most frameworks do not send it back, so that
 * the id of the call carries the same.
 */
export function extraContentOf(vendor: VendorData | undefined): object {
  const signature = vendor?.data.thoughtSignature;
  if (vendor?.protocol !== 'gemini-generate' || typeof signature !== 'string') return {};
  return { extra_content: { google: { thought_signature: signature } } };
}
