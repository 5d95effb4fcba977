import { inputTokens, invoiceOf, PromptTally, tokensOfBytes } from '../../count/tokens.js';
import { type Fields, isAbsent } from '../../json/fields.js';
import { vectorOf } from '../../vector/vector-of.js';
import type { IncomingRequest, Memory, RenderedReply, Route } from '../vendor-emulator.js';
import { newUuid } from '../vendor-ids.js';
import { parseRequest } from './chat.route.js';
import { compatHeaders, refuse, unknownModel } from './dashscope-errors.js';

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

const checkLengths = (texts: readonly string[]): void => {
  const tokens = texts.map((text) => tokensOfBytes(Buffer.byteLength(text)));
  if (tokens.some((count) => count > TOKENS_PER_TEXT)) {
    throw invalidValue(`Range of input length should be [1, ${TOKENS_PER_TEXT}]`, 'input.contents');
  }
  if (tokens.reduce((sum, count) => sum + count, 0) > TOKENS_PER_CALL) {
    throw invalidValue(`Total tokens should not be larger than ${TOKENS_PER_CALL}`, 'input.contents');
  }
};

const readDimensions = (dimensions: unknown): number => {
  if (isAbsent(dimensions)) return DEFAULT_DIMENSIONS;
  if (typeof dimensions !== 'number' || !DIMENSIONS.includes(dimensions)) {
    throw invalidValue(`dimension is invalid, it should be one of [${DIMENSIONS}].`, 'parameters.dimension');
  }
  return dimensions;
};

const readEmbeddings = (request: Fields) => {
  const { input, encoding_format: encoding } = request;
  const texts = checkTexts(Array.isArray(input) ? input : [input]);
  checkLengths(texts);
  if (!isAbsent(encoding) && encoding !== 'float') {
    throw invalidValue('encoding_format only support float.', 'parameters.encoding_format');
  }
  const tally = new PromptTally(...texts);
  return { texts, dimensions: readDimensions(request.dimensions), tally };
};

const handle = (incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const request = parseRequest(incoming);
  const model = typeof request.model === 'string' ? request.model : '';
  incoming.record.model = model;
  if (!EMBEDDING_MODELS.has(model)) throw unknownModel(model);
  const { texts, dimensions, tally } = readEmbeddings(request);
  const directives = memory.repeats.activeDirectives('dashscope', tally.directed);
  const tokens = directives.promptTokens ?? inputTokens(tally);
  const id = newUuid();
  incoming.record.upstreamId = id;
  return {
    kind: 'rendered',
    directives,
    headers: compatHeaders(id),
    usage: invoiceOf({}, { input: tokens }),
    whole: () =>
      JSON.stringify({
        object: 'list',
        data: texts.map((text, index) => ({
          object: 'embedding',
          index,
          embedding: vectorOf(model, text, dimensions, true),
        })),
        model,
        ...(directives.hidesUsage === true ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
        id,
      }),
  };
};

export const embeddingsRoute: Route = {
  method: 'POST',
  path: '/compatible-mode/v1/embeddings',
  protocol: 'dashscope-embeddings',
  handle,
};
