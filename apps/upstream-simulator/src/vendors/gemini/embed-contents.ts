import { inputTokens, invoiceOf, PromptTally } from '../../count/tokens.js';
import { type Fields, isAbsent, listOf } from '../../json/fields.js';
import { vectorOf } from '../../vector/vector-of.js';
import type { IncomingRequest, Memory, RenderedReply } from '../vendor-emulator.js';
import { camelFields, camelList } from './either-case.js';
import { geminiHeaders, invalid, unknownName } from './gemini-errors.js';
import type { GeminiEmbeddingModel } from './media-models.js';
import { parseBody } from './read-content-request.js';

const MAX_REQUESTS = 100;
const MIN_DIMENSIONS = 128;
const FIELDS: ReadonlySet<string> = new Set(['model', 'content', 'taskType', 'title', 'outputDimensionality']);
type EmbeddingItem = Readonly<{ text: string; dimensions: number }>;

const readText = (content: unknown, place: string): string => {
  const texts = camelList(camelFields(content).parts).map(({ text }) => text);
  const text = texts.every((part) => typeof part === 'string') ? texts.join('') : '';
  if (text === '') throw invalid(`* ${place}.content: contents is not specified\n`);
  return text;
};

const readItem = (request: Fields, place: string, model: GeminiEmbeddingModel): EmbeddingItem => {
  const unknownField = Object.keys(request).find((name) => !FIELDS.has(name));
  if (unknownField !== undefined) throw unknownName(unknownField, place);
  if (request.model !== `models/${model.id}`) {
    throw invalid(`* ${place}.model: model must match the model of the batch: models/${model.id}\n`);
  }
  const { outputDimensionality: requested } = request;
  const dimensions = isAbsent(requested) ? model.maxDimensions : requested;
  if (typeof dimensions !== 'number' || dimensions < MIN_DIMENSIONS || dimensions > model.maxDimensions) {
    throw invalid(`* ${place}.output_dimensionality: must be from ${MIN_DIMENSIONS} to ${model.maxDimensions}\n`);
  }
  return { text: readText(request.content, place), dimensions };
};

/** The path names the model of a single request. */
const readSingle = (incoming: IncomingRequest, model: GeminiEmbeddingModel): readonly EmbeddingItem[] => [
  readItem({ ...parseBody(incoming), model: `models/${model.id}` }, 'EmbedContentRequest', model),
];

const readBatch = (incoming: IncomingRequest, model: GeminiEmbeddingModel): readonly EmbeddingItem[] => {
  const requests = listOf(parseBody(incoming).requests).map(camelFields);
  if (requests.length === 0 || requests.length > MAX_REQUESTS) {
    throw invalid(`* BatchEmbedContentsRequest.requests: at most ${MAX_REQUESTS} requests can be in one batch\n`);
  }
  return requests.map((request, index) => readItem(request, `BatchEmbedContentsRequest.requests[${index}]`, model));
};

/** One vector a request; shortened vectors are not normalised. */
export const embedContents = (
  incoming: IncomingRequest,
  memory: Memory,
  model: GeminiEmbeddingModel,
  isBatch: boolean,
): RenderedReply => {
  const items = isBatch ? readBatch(incoming, model) : readSingle(incoming, model);
  const tally = new PromptTally(...items.map(({ text }) => text));
  const directives = memory.repeats.activeDirectives('gemini', tally.directed);
  const tokens = directives.promptTokens ?? inputTokens(tally);
  const showsUsage = model.reportsUsage && directives.hidesUsage !== true;
  const embed = ({ text, dimensions }: EmbeddingItem) => ({ values: vectorOf(model.id, text, dimensions, false) });
  return {
    kind: 'rendered',
    directives,
    headers: geminiHeaders(),
    usage: invoiceOf({}, { input: tokens }),
    whole: () =>
      JSON.stringify(
        {
          ...(isBatch ? { embeddings: items.map(embed) } : { embedding: items.map(embed)[0] }),
          ...(showsUsage ? { usageMetadata: { promptTokenCount: tokens } } : {}),
        },
        null,
        2,
      ),
  };
};
