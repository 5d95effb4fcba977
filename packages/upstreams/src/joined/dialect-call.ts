import type { ChatModelTraits, DecodedRequest, Dialect } from '@gateway/contracts';
import type { ProtocolCall } from '../protocol.js';

/** A validated request of any dialect. */
export interface DialectCall extends ProtocolCall<unknown, ChatModelTraits> {
  /** The most tokens that the answer may have, of a client that set no cap. */
  readonly outputCap?: number | undefined;
}

/** Decodes a call, with the gateway's cap if the client set none. Throws a GatewayError (400). */
export function decodeCall<View>(dialect: Dialect<View>, call: DialectCall): DecodedRequest<View> {
  const decoded = dialect.decodeRequest(call.request);
  const { request } = decoded;
  const cap = call.outputCap;
  if (cap === undefined || request.settings.maxOutputTokens !== undefined) return decoded;
  return { ...decoded, request: { ...request, settings: { ...request.settings, maxOutputTokens: cap } } };
}
