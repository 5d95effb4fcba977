import { inputTokens, invoiceOf, PromptTally, tokensOfText } from '../../count/tokens.js';
import { type Fields, fieldsOf, isAbsent, listOf, textOf } from '../../json/fields.js';
import { vectorOf } from '../../vector/vector-of.js';
import type { IncomingRequest, Memory, RenderedReply, Route } from '../vendor-emulator.js';
import { newUuid } from '../vendor-ids.js';
import { parseRequest } from './chat.route.js';
import { compatHeaders, refuse, unknownModel } from './dashscope-errors.js';
import {
  nativeErrors,
  nativeHeaders,
  invalid as nativeInvalid,
  parseNativeBody,
  refuseModel,
} from './native-errors.js';

const MAX_TEXTS = 10;
const TOKENS_PER_TEXT = 8_192;
const TOKENS_PER_CALL = 33_000;
const DIMENSIONS = [2_048, 1_536, 1_024, 768, 512, 256, 128, 64];
const DEFAULT_DIMENSIONS = 1_024;
const EMBEDDING_MODELS: ReadonlySet<string> = new Set(['text-embedding-v4']);

/** The vendor's gateway wraps its model's messages. */
const invalidValue = (complaint: string, place: string): Error =>
  refuse(400, {
    message: `<400> InternalError.Algo.InvalidParameter: Value error, ${complaint}: ${place}`,
    type: 'InvalidParameter',
    code: 'InvalidParameter',
  });

const checkTexts = (texts: readonly unknown[]): readonly string[] => {
  if (texts.length === 0 || texts.some((text) => typeof text !== 'string' || text === '')) {
    throw invalidValue('contents is neither str nor list of str.', 'input.contents');
  }
  if (texts.length > MAX_TEXTS) {
    throw invalidValue(`batch size is invalid, it should not be larger than ${MAX_TEXTS}.`, 'input.contents');
  }
  return texts as readonly string[];
};

const readTexts = (given: readonly unknown[]): readonly string[] => {
  const texts = checkTexts(given);
  const tokens = texts.map(tokensOfText);
  if (tokens.some((count) => count > TOKENS_PER_TEXT)) {
    throw invalidValue(`Range of input length should be [1, ${TOKENS_PER_TEXT}]`, 'input.contents');
  }
  if (tokens.reduce((sum, count) => sum + count, 0) > TOKENS_PER_CALL) {
    throw invalidValue(`Total tokens should not be larger than ${TOKENS_PER_CALL}`, 'input.contents');
  }
  return texts;
};

const readDimensions = (dimensions: unknown): number => {
  if (isAbsent(dimensions)) return DEFAULT_DIMENSIONS;
  if (typeof dimensions !== 'number' || !DIMENSIONS.includes(dimensions)) {
    throw invalidValue(`dimension is invalid, it should be one of [${DIMENSIONS}].`, 'parameters.dimension');
  }
  return dimensions;
};

const readCompatible = (request: Fields) => {
  const { input, encoding_format: encoding } = request;
  const texts = readTexts(Array.isArray(input) ? input : [input]);
  if (!isAbsent(encoding) && encoding !== 'float') {
    throw invalidValue('encoding_format only support float.', 'parameters.encoding_format');
  }
  return { texts, dimensions: readDimensions(request.dimensions) };
};

/** The native interface has its texts in `input` and its options in `parameters`. */
const readNative = (request: Fields) => {
  const { texts } = fieldsOf(request.input);
  const { dimension, output_type: outputType = 'dense' } = fieldsOf(request.parameters);
  if (outputType !== 'dense') throw nativeInvalid("The simulator supports output_type 'dense' only.");
  return { texts: readTexts(listOf(texts)), dimensions: readDimensions(dimension) };
};

interface Embedded {
  readonly id: string;
  readonly model: string;
  readonly vectors: readonly (readonly number[])[];
  readonly tokens: number;
  readonly hidesUsage: boolean;
}

const compatibleBody = ({ id, model, vectors, tokens, hidesUsage }: Embedded): object => ({
  object: 'list',
  data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
  model,
  ...(hidesUsage ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
  id,
});

const nativeBody = ({ id, vectors, tokens, hidesUsage }: Embedded): object => ({
  output: { embeddings: vectors.map((embedding, index) => ({ embedding, text_index: index })) },
  ...(hidesUsage ? {} : { usage: { total_tokens: tokens } }),
  request_id: id,
});

const handleEmbeddings =
  (isNative: boolean) =>
  (incoming: IncomingRequest, memory: Memory): RenderedReply => {
    const request = isNative ? parseNativeBody(incoming) : parseRequest(incoming);
    const model = textOf(request.model);
    incoming.record.model = model;
    if (!EMBEDDING_MODELS.has(model)) throw isNative ? refuseModel(false) : unknownModel(model);
    const { texts, dimensions } = isNative ? readNative(request) : readCompatible(request);
    const tally = new PromptTally(...texts);
    const directives = memory.repeats.activeDirectives('dashscope', tally.directed);
    const tokens = directives.promptTokens ?? inputTokens(tally);
    const id = newUuid();
    incoming.record.upstreamId = id;
    const bodyOf = isNative ? nativeBody : compatibleBody;
    return {
      kind: 'rendered',
      directives,
      headers: isNative ? nativeHeaders(id) : compatHeaders(id),
      usage: invoiceOf({}, { input: tokens }),
      whole: () => {
        const vectors = texts.map((text) => vectorOf(model, text, dimensions, true));
        return JSON.stringify(bodyOf({ id, model, vectors, tokens, hidesUsage: directives.hidesUsage === true }));
      },
    };
  };

export const embeddingsRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/compatible-mode/v1/embeddings',
    protocol: 'dashscope-embeddings',
    handle: handleEmbeddings(false),
  },
  {
    method: 'POST',
    path: '/api/v1/services/embeddings/text-embedding/text-embedding',
    protocol: 'dashscope-native-embeddings',
    handle: handleEmbeddings(true),
    errors: nativeErrors,
  },
];
