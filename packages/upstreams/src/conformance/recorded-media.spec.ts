import { readFileSync } from 'node:fs';
import { modelAt, priceAt, usageCost } from '@gateway/catalogue';
import type {
  EmbeddingProtocolId,
  ImageProtocolId,
  SpeechProtocolId,
  UnitCounts,
  Usage,
  VideoProtocolId,
} from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import type { EmbeddingsCall } from '../protocol.js';
import { EMBEDDING_PROTOCOLS, IMAGE_PROTOCOLS, SPEECH_PROTOCOLS, VIDEO_PROTOCOLS } from '../registry.js';
import { smallImageCall } from './image-calls.js';
import { speechCall } from './speech-calls.js';

interface Metered {
  readonly pricedAs: string;
  readonly units: UnitCounts;
  readonly nanoUsd: string;
}

/** One entry of `recorded/media.json`. */
type RecordedMedia = { readonly name: string; readonly body: object } & (
  | ({ readonly kind: 'image'; readonly protocol: ImageProtocolId } & Metered)
  | ({ readonly kind: 'embeddings'; readonly protocol: EmbeddingProtocolId } & Metered)
  | ({ readonly kind: 'speech'; readonly protocol: SpeechProtocolId } & Metered)
  | { readonly kind: 'video'; readonly protocol: VideoProtocolId; readonly reading: object }
);

const RECORDED = JSON.parse(
  readFileSync(new URL('../../recorded/media.json', import.meta.url), 'utf8'),
) as readonly RecordedMedia[];

const AT_MS = Date.parse('2026-10-15');
const bytesOf = ({ body }: RecordedMedia): Buffer => Buffer.from(JSON.stringify(body));

const embeddingsCall = (publicModel: string): EmbeddingsCall => ({
  request: { texts: ['a', 'b'], firstIndex: 0, dimensions: 4, encoding: 'float', vendorFields: {} },
  publicModel,
  traits: { dimensions: [4], defaultDimensions: 4, unitLengthOnlyAt: null, batch: { texts: 10, tokens: 1_000 } },
  requestId: 'req_abcdefghijklmnopqrstuvwxyz',
  createdSeconds: 1_795_168_800,
});

const SPOKEN = { text: 'Recorded.', voice: 'Cherry' };

function expectMoney({ pricedAs, units, nanoUsd }: Metered, usage: Usage): void {
  const counted = Object.entries(usage.units).filter(([, count]) => count > 0);
  expect(Object.fromEntries(counted)).toEqual(units);
  const model = modelAt(pricedAs, AT_MS);
  const price = model && priceAt(model, AT_MS);
  if (price === undefined) throw new Error(`no price of ${pricedAs}`);
  expect(usageCost(usage, price)).toBe(BigInt(nanoUsd));
}

describe('recorded answers of media', () => {
  it.each(RECORDED.map((entry) => [entry.name, entry] as const))('are read: %s', (_name, entry) => {
    switch (entry.kind) {
      case 'image': {
        const { protocol } = entry;
        expectMoney(
          entry,
          IMAGE_PROTOCOLS[protocol].readReply(bytesOf(entry), smallImageCall(protocol) as never).usage,
        );
        break;
      }
      case 'embeddings': {
        const call = embeddingsCall(entry.pricedAs);
        expectMoney(entry, EMBEDDING_PROTOCOLS[entry.protocol].readReply(bytesOf(entry), call).usage);
        break;
      }
      case 'speech': {
        const reader = SPEECH_PROTOCOLS[entry.protocol].openReader(speechCall(entry.pricedAs, SPOKEN));
        reader.read(Buffer.from(`data: ${JSON.stringify(entry.body)}\n\n`));
        reader.end();
        expectMoney(entry, reader.usage());
        expect(reader.usage()).not.toHaveProperty('unpriced');
        break;
      }
      case 'video':
        expect(VIDEO_PROTOCOLS[entry.protocol].readStatus(bytesOf(entry))).toMatchObject(entry.reading);
    }
  });
});
