import { packed, unpacked, type VendorData } from '@gateway/contracts';

const OWN_PROTOCOL = 'anthropic-messages';

/**
 * Signs thoughts that no vendor signed: some clients refuse an empty signature. It is packed data without content, so that each
 * path removes it as any other vendor's.
 */
const UNSIGNED = packed({ protocol: 'openai-chat', data: {} });

/** The `signature` of a thinking block. Holds the data of another vendor, which the client returns with the block. */
export function signatureOf(vendor: VendorData | undefined): string {
  if (vendor === undefined) return UNSIGNED;
  const { signature } = vendor.data;
  return vendor.protocol === OWN_PROTOCOL && typeof signature === 'string' ? signature : packed(vendor);
}

/** The `data` of a block that shows no text. */
export function redactedOf(vendor: VendorData): string {
  const { redacted } = vendor.data;
  return vendor.protocol === OWN_PROTOCOL && typeof redacted === 'string' ? redacted : packed(vendor);
}

/** Undefined for a block that no vendor signed. */
export function vendorDataOf(signature: unknown): VendorData | undefined {
  if (typeof signature !== 'string' || signature === '' || signature === UNSIGNED) return undefined;
  return unpacked(signature) ?? { protocol: OWN_PROTOCOL, data: { signature } };
}

/** The data of a `redacted_thinking` block, which shows no text. */
export function redactedDataOf(data: unknown): VendorData | undefined {
  if (typeof data !== 'string' || data === '') return undefined;
  return unpacked(data) ?? { protocol: OWN_PROTOCOL, data: { redacted: data } };
}
