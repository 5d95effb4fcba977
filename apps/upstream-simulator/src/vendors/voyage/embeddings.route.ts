import { invoiceOf, tokensOfText } from '../../count/tokens.js';
import { type Fields, isAbsent, textOf } from '../../json/fields.js';
import { toBase64, vectorOf } from '../../vector/vector-of.js';
import type { IncomingRequest, Memory, RenderedReply, Route } from '../vendor-emulator.js';
import { parseJsonObject } from '../vendor-errors.js';
import { refuse } from './voyage-errors.js';

const MAX_TEXTS = 1_000;
const CONTEXT_TOKENS = 32_000;
const DIMENSIONS = [256, 512, 1_024, 2_048];
const DEFAULT_DIMENSIONS = 1_024;

/** Maximum tokens of a call. */
const TOKENS_OF_MODEL: Readonly<Record<string, number>> = {
  'voyage-4-large': 120_000,
  'voyage-4': 320_000,
  'voyage-4-lite': 1_000_000,
};

const FIELDS: ReadonlySet<string> = new Set(
  'input model input_type truncation output_dimension output_dtype encoding_format'.split(' '),
);

const refuseValue = (name: string, value: unknown, expected: string): Error =>
  refuse(400, `Value '${String(value)}' provided for argument '${name}' is not valid. Valid values: ${expected}.`);

const readTexts = (input: unknown): readonly string[] => {
  const texts: readonly unknown[] = Array.isArray(input) ? input : [input];
  if (texts.length === 0 || texts.some((text) => typeof text !== 'string')) {
    throw refuse(400, "Input must be a string or a list of strings and cannot be empty. Argument: 'input'.");
  }
  if (texts.some((text) => text === '')) throw refuse(400, 'Input cannot contain empty strings or empty lists.');
  if (texts.length > MAX_TEXTS) {
    throw refuse(400, `The batch size limit is ${MAX_TEXTS}. Your batch size is ${texts.length}.`);
  }
  return texts as readonly string[];
};

const countTokens = (model: string, limit: number, texts: readonly string[], cutsLongTexts: boolean): number => {
  const tokens = texts.map(tokensOfText);
  const tooLong = tokens.findIndex((count) => count > CONTEXT_TOKENS);
  if (tooLong !== -1 && !cutsLongTexts) {
    throw refuse(
      400,
      `Request to model '${model}' failed. The example at index ${tooLong} in your batch has too many tokens and does not fit into the model's context window of ${CONTEXT_TOKENS} tokens. Please lower the number of tokens in the listed example(s) or use truncation.`,
    );
  }
  const sum = tokens.reduce((total, count) => total + Math.min(count, CONTEXT_TOKENS), 0);
  if (sum > limit) {
    throw refuse(
      400,
      `Request to model '${model}' failed. The max allowed tokens per submitted batch is ${limit}. Your batch has ${sum} tokens after truncation. Please lower the number of tokens in the batch.`,
      'TOO_MANY_TOKENS_IN_BATCH',
    );
  }
  return sum;
};

const checkWords = (request: Fields): void => {
  for (const name of Object.keys(request)) {
    if (!FIELDS.has(name)) throw refuse(400, `Argument '${name}' is not supported by our API.`);
  }
  const { input_type: inputType, encoding_format: encoding, output_dtype: dtype } = request;
  if (!isAbsent(inputType) && inputType !== 'query' && inputType !== 'document') {
    throw refuseValue('input_type', inputType, 'null, query, document');
  }
  if (!isAbsent(encoding) && encoding !== 'base64') throw refuseValue('encoding_format', encoding, 'null, base64');
  if (!isAbsent(dtype) && dtype !== 'float') throw refuse(400, "The simulator supports output_dtype 'float' only.");
};

const readEmbeddings = (request: Fields) => {
  const model = typeof request.model === 'string' ? request.model : '';
  const limit = TOKENS_OF_MODEL[model];
  if (limit === undefined) {
    throw refuse(
      400,
      `Model ${model} is not supported. Supported models are ['${Object.keys(TOKENS_OF_MODEL).join("', '")}'].`,
    );
  }
  checkWords(request);
  const texts = readTexts(request.input);
  const dimensions = request.output_dimension ?? DEFAULT_DIMENSIONS;
  if (typeof dimensions !== 'number' || !DIMENSIONS.includes(dimensions)) {
    throw refuseValue('output_dimension', dimensions, DIMENSIONS.join(', '));
  }
  return {
    model,
    texts,
    dimensions,
    isBase64: request.encoding_format === 'base64',
    tokens: countTokens(model, limit, texts, request.truncation !== false),
  };
};

const DIRECTIVE_MARK = '{{sim';

const parse = (incoming: IncomingRequest): Fields =>
  parseJsonObject(incoming, () => refuse(400, 'Request body could not be parsed as JSON.'));

const handle = (incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const request = parse(incoming);
  incoming.record.model = textOf(request.model);
  const { model, texts, dimensions, isBase64, tokens } = readEmbeddings(request);
  const directed = texts.filter((text) => text.includes(DIRECTIVE_MARK));
  const directives = memory.repeats.activeDirectives('voyage', directed);
  const billedTokens = directives.promptTokens ?? tokens;
  return {
    kind: 'rendered',
    directives,
    headers: {},
    usage: invoiceOf({}, { input: billedTokens }),
    whole: () =>
      JSON.stringify({
        object: 'list',
        data: texts.map((text, index) => {
          const vector = vectorOf(model, text, dimensions, true);
          return { object: 'embedding', embedding: isBase64 ? toBase64(vector) : vector, index };
        }),
        model,
        ...(directives.hidesUsage === true ? {} : { usage: { total_tokens: billedTokens } }),
      }),
  };
};

export const embeddingsRoute: Route = { method: 'POST', path: '/v1/embeddings', protocol: 'voyage-embeddings', handle };
