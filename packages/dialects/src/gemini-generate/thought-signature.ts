import { packed, type ReasoningPart, unpacked, type VendorData } from '@gateway/contracts';

const OWN_PROTOCOL = 'gemini-generate';

/** Thoughts whose vendor wants them back, with the call that they led to. */
export interface SignedParts {
  readonly thoughts: readonly ReasoningPart[];
  readonly vendor?: VendorData | undefined;
}

interface Packed {
  readonly thoughts?: readonly { readonly text: string; readonly data: VendorData['data'] }[];
  readonly call?: VendorData['data'];
}

/**
 * The `thoughtSignature` of a part. The format's clients return signatures, but not all of them return thoughts. So a
 * signature carries the thoughts of another vendor too. Undefined if there is nothing to return.
 */
export function signatureOf({ thoughts, vendor }: SignedParts): string | undefined {
  const own = vendor?.protocol === OWN_PROTOCOL ? vendor.data.thoughtSignature : undefined;
  if (typeof own === 'string') return own;
  const signed = thoughts.flatMap(({ text, vendor: of }) => (of === undefined ? [] : [{ text, ...of }]));
  const protocol = signed[0]?.protocol ?? vendor?.protocol;
  if (protocol === undefined) return undefined;
  const data: Packed = {
    thoughts: signed.map(({ text, data: inner }) => ({ text, data: inner })),
    ...(vendor !== undefined && { call: vendor.data }),
  };
  return packed({ protocol, data: { ...data } });
}

/** Reads what `signatureOf` wrote. Any other signature is the format's own vendor's. */
export function signedParts(signature: string | undefined): SignedParts {
  if (signature === undefined || signature === '') return { thoughts: [] };
  const vendor = unpacked(signature);
  if (vendor === undefined) {
    return { thoughts: [], vendor: { protocol: OWN_PROTOCOL, data: { thoughtSignature: signature } } };
  }
  const { protocol } = vendor;
  const { thoughts = [], call } = vendor.data as Packed;
  return {
    thoughts: thoughts.map(({ text, data }) => ({ type: 'reasoning', text, vendor: { protocol, data } })),
    ...(call !== undefined && { vendor: { protocol, data: call } }),
  };
}
