import type { VendorData } from '@gateway/contracts';
import { stringifyUpstreamJson } from '../failures/malformed-response.js';
import type { ReplyPart } from './wire.js';

const PROTOCOL = 'gemini-generate';

export interface DecodedCall {
  readonly id: string;
  readonly name: string;
  readonly kind: 'function';
  readonly input: string;
  /** The thought signature, which the client must send back. */
  readonly vendor?: VendorData;
}

/** The signature of a call of this vendor. It rejects calls of its newer models without theirs. */
export const signatureOf = (vendor: VendorData | undefined): string | undefined => {
  const signature = vendor?.data.thoughtSignature;
  return vendor?.protocol === PROTOCOL && typeof signature === 'string' ? signature : undefined;
};

/**
 * Decodes a function call part; undefined for other parts. The upstream usually sends no id: then the id is the request id
 * with the call's position, so that reading a response twice gives equal ids.
 */
export function toolCallOf(part: ReplyPart, requestId: string, position: number): DecodedCall | undefined {
  const { functionCall: called, thoughtSignature: signature } = part;
  if (called === undefined) return undefined;
  return {
    id: called.id ?? `call_${requestId.replace(/^req_/, '')}_${position}`,
    name: called.name,
    kind: 'function',
    input: stringifyUpstreamJson(called.args ?? {}),
    ...(signature !== undefined && { vendor: { protocol: PROTOCOL, data: { thoughtSignature: signature } } }),
  };
}
