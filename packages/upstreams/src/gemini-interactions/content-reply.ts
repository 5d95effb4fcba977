import { isJsonObject, type Usage } from '@gateway/contracts';
import { z } from 'zod';
import { parseUpstreamJson } from '../failures/malformed-response.js';
import { readOptionalCount } from '../metering/token-counts.js';
import type { UpstreamReply } from '../protocol.js';
import { interactionReply } from './wire.js';

const block = z.union([
  z.looseObject({ type: z.literal('text'), text: z.string().min(1) }),
  z.looseObject({ type: z.literal('image'), data: z.string().min(1), mime_type: z.string().default('image/png') }),
]);

const failure = z.looseObject({ errors: z.array(z.looseObject({ code: z.string().optional() })).nullish() });

const FINISH_REASONS: Readonly<Record<string, string>> = { completed: 'STOP', incomplete: 'MAX_TOKENS' };
const BLOCKED = 'blocked_by_safety';

/** An interaction's reply as a response of `generateContent`. Its id is the request's: an unstored interaction has none. */
export function contentOfInteraction(
  reply: UpstreamReply,
  { publicModel, requestId }: { readonly publicModel: string; readonly requestId: string },
): UpstreamReply {
  const json = parseUpstreamJson(reply.body);
  const { status, steps, usage } = interactionReply.parse(json);
  const parts = (steps ?? []).flatMap(({ content }) => content ?? []).flatMap(partOf);
  const finishReason = FINISH_REASONS[status] ?? failedReason(json);
  const content = parts.length === 0 ? {} : { content: { role: 'model', parts } };
  const response = {
    candidates: [{ ...content, finishReason, index: 0 }],
    usageMetadata: metadataOf(reply.usage, usage),
    modelVersion: publicModel,
    responseId: requestId,
  };
  return { ...reply, body: Buffer.from(JSON.stringify(response)) };
}

function partOf(value: unknown): readonly object[] {
  const { data: read } = block.safeParse(value);
  if (read === undefined) return [];
  return read.type === 'text' ? [{ text: read.text }] : [{ inlineData: { mimeType: read.mime_type, data: read.data } }];
}

const failedReason = (json: unknown): string =>
  (failure.parse(json).errors ?? []).some(({ code }) => code === BLOCKED) ? 'IMAGE_SAFETY' : 'IMAGE_OTHER';

/** The counts that are billed. Thoughts, which cost as much as text, are shown apart. */
function metadataOf({ units, inputTokensTotal }: Usage, reported: unknown): object {
  const { input_image_token: imageIn = 0, output_token: text = 0, output_image_token: imageOut = 0 } = units;
  const written = isJsonObject(reported) ? (readOptionalCount(reported.total_thought_tokens) ?? 0) : 0;
  const thoughts = Math.min(written, text);
  return {
    promptTokenCount: inputTokensTotal,
    candidatesTokenCount: text - thoughts + imageOut,
    totalTokenCount: inputTokensTotal + text + imageOut,
    promptTokensDetails: details(inputTokensTotal - imageIn, imageIn),
    candidatesTokensDetails: details(text - thoughts, imageOut),
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
  };
}

const details = (text: number, image: number): readonly object[] =>
  [
    { modality: 'TEXT', tokenCount: text },
    { modality: 'IMAGE', tokenCount: image },
  ].filter(({ tokenCount }) => tokenCount > 0);
