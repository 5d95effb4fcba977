import { PromptTally } from '../../count/prompt-tally.js';
import { inputTokens, invoiceOf } from '../../count/tokens.js';
import { type Fields, isAbsent, listOf } from '../../json/fields.js';
import { vectorOf } from '../../vector/vector-of.js';
import type { MadeReply, Memory, Received } from '../persona.js';
import { parseBody } from './content-task.js';
import { camelFields, camelList } from './either-case.js';
import type { GeminiEmbeddingModel } from './embedding-models.js';
import { geminiHeaders, invalidArgument, unknownName } from './gemini-errors.js';

const REQUESTS_AT_MOST = 100;
const SHORTEST_VECTOR = 128;
const FIELDS: ReadonlySet<string> = new Set(['model', 'content', 'taskType', 'title', 'outputDimensionality']);

interface Wish {
  readonly text: string;
  readonly dimensions: number;
}

const readText = (content: unknown, place: string): string => {
  const texts = camelList(camelFields(content).parts).map(({ text }) => text);
  const text = texts.every((part) => typeof part === 'string') ? texts.join('') : '';
  if (text === '') {
    throw invalidArgument(`* ${place}.content: contents is not specified\n`);
  }
  return text;
};

const readWish = (request: Fields, place: string, model: GeminiEmbeddingModel): Wish => {
  const stranger = Object.keys(request).find((name) => !FIELDS.has(name));
  if (stranger !== undefined) {
    throw unknownName(stranger, place);
  }
  if (request.model !== `models/${model.id}`) {
    throw invalidArgument(`* ${place}.model: model must match the model of the batch: models/${model.id}\n`);
  }
  const { outputDimensionality: asked } = request;
  const dimensions = isAbsent(asked) ? model.longestVector : asked;
  if (typeof dimensions !== 'number' || dimensions < SHORTEST_VECTOR || dimensions > model.longestVector) {
    throw invalidArgument(
      `* ${place}.output_dimensionality: must be from ${SHORTEST_VECTOR} to ${model.longestVector}\n`,
    );
  }
  return { text: readText(request.content, place), dimensions };
};

/** `batchEmbedContents`: one vector for each request. Shorter ones are not of unit length. */
export const embedContents = (received: Received, memory: Memory, model: GeminiEmbeddingModel): MadeReply => {
  const requests = listOf(parseBody(received).requests).map(camelFields);
  if (requests.length === 0 || requests.length > REQUESTS_AT_MOST) {
    throw invalidArgument(
      `* BatchEmbedContentsRequest.requests: at most ${REQUESTS_AT_MOST} requests can be in one batch\n`,
    );
  }
  const wishes = requests.map((request, index) =>
    readWish(request, `BatchEmbedContentsRequest.requests[${index}]`, model),
  );
  const tally = new PromptTally();
  for (const { text } of wishes) {
    tally.addText(text);
  }
  const directives = memory.repeats.inForce('gemini', tally.directed);
  const tokens = directives.promptTokens ?? inputTokens(tally);
  const showsUsage = model.reportsUsage && directives.hidesUsage !== true;
  return {
    kind: 'made',
    directives,
    headers: geminiHeaders(),
    usage: invoiceOf({}, { input: tokens }),
    whole: () =>
      JSON.stringify(
        {
          embeddings: wishes.map(({ text, dimensions }) => ({ values: vectorOf(model.id, text, dimensions, false) })),
          ...(showsUsage ? { usageMetadata: { promptTokenCount: tokens } } : {}),
        },
        null,
        2,
      ),
  };
};
