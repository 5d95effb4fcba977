import { z } from 'zod';
import { malformedResponse } from '../failures/malformed-response.js';
import type { EmbeddingsCall, UpstreamReply } from '../protocol.js';
import { embeddingUsage } from './embedding-usage.js';
import { encodeEntries, encodeVectors } from './encode-entries.js';
import { extractVectors } from './extract-vectors.js';

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** OpenAI-compatible embedding list. `embedding` is an index where `extractVectors` removed a vector. */
const listWire = z.object({
  id: z.string().nullish(),
  data: z.array(z.object({ index: z.int().min(0), embedding: z.union([z.int().min(0), z.string()]) })),
  usage: z.looseObject({ prompt_tokens: z.unknown(), total_tokens: z.unknown() }).partial().nullish(),
});

type Entry = z.infer<typeof listWire>['data'][number];

/** Orders the entries by text. Throws unless each text has exactly one. */
function inOrder(entries: readonly Entry[], count: number): readonly Entry['embedding'][] {
  const ordered = new Array<Entry['embedding'] | undefined>(count).fill(undefined);
  for (const { index, embedding } of entries) {
    if (index >= count || ordered[index] !== undefined) throw malformedResponse();
    ordered[index] = embedding;
  }
  return ordered.map((embedding) => {
    if (embedding === undefined) throw malformedResponse();
    return embedding;
  });
}

function numbersOf(slots: readonly Entry['embedding'][], vectors: readonly string[]): readonly string[] {
  if (slots.length !== vectors.length) throw malformedResponse();
  return slots.map((slot) => {
    const text = typeof slot === 'number' ? vectors[slot] : undefined;
    if (text === undefined) throw malformedResponse();
    return text;
  });
}

function base64Json(vector: Entry['embedding'], dimensions: number): string {
  const length = Math.ceil((dimensions * Float32Array.BYTES_PER_ELEMENT) / 3) * 4;
  if (typeof vector !== 'string' || vector.length !== length || !BASE64.test(vector)) throw malformedResponse();
  return `"${vector}"`;
}

/** Throws the error that an upstream reports with status 200. */
export type ThrowReportedError = (envelope: unknown) => void;

/** Reads an OpenAI-compatible embedding list. `isBase64Native`: the upstream itself encodes vectors as base64. */
export function readEmbeddingList(
  body: Uint8Array,
  call: EmbeddingsCall,
  throwReportedError: ThrowReportedError,
  isBase64Native: boolean,
): UpstreamReply {
  const { envelope, vectors } = extractVectors(body, 'embedding');
  throwReportedError(envelope);
  const parsed = listWire.safeParse(envelope);
  if (!parsed.success) throw malformedResponse();
  const { id, data, usage } = parsed.data;
  const { texts, dimensions, firstIndex } = call.request;
  const slots = inOrder(data, texts.length);
  const entries = isBase64Native
    ? encodeEntries(
        slots.map((vector) => base64Json(vector, dimensions)),
        firstIndex,
      )
    : encodeVectors(numbersOf(slots, vectors), call);
  return {
    body: entries,
    usage: embeddingUsage(usage?.prompt_tokens ?? usage?.total_tokens, usage, call),
    upstreamId: id ?? undefined,
  };
}
