import type { ChatModelTraits, DecodedRequest, Dialect } from '@gateway/contracts';
import type { ProtocolCall } from '../protocol.js';

/** A validated request of any dialect. */
export interface DialectCall extends ProtocolCall<unknown, ChatModelTraits> {
  /** The most tokens that the answer may have, of a client that set no cap. */
  readonly outputCap?: number | undefined;
  /** No account of ours at the vendor can read the reasoning, so it is not sent. */
  readonly dropsReasoning?: true;
}

/** Decodes a call, with the gateway's cap if the client set none. Throws a GatewayError (400). */
export function decodeCall<View>(dialect: Dialect<View>, call: DialectCall): DecodedRequest<View> {
  const decoded = withoutReasoning(dialect.decodeRequest(call.request), call.dropsReasoning === true);
  const { request } = decoded;
  const cap = call.outputCap;
  if (cap === undefined || request.settings.maxOutputTokens !== undefined) return decoded;
  return { ...decoded, request: { ...request, settings: { ...request.settings, maxOutputTokens: cap } } };
}

function withoutReasoning<View>(decoded: DecodedRequest<View>, drops: boolean): DecodedRequest<View> {
  if (!drops) return decoded;
  const messages = decoded.request.messages.map((message) =>
    message.role === 'assistant'
      ? { ...message, content: message.content.filter(({ type }) => type !== 'reasoning') }
      : message,
  );
  return { ...decoded, request: { ...decoded.request, messages } };
}
