import { createHash } from 'node:crypto';
import { invoiceOf, tokensOfText } from '../../count/tokens.js';
import { type Fields, textOf } from '../../json/fields.js';
import type { IncomingRequest, Memory, RenderedReply, Route } from '../vendor-emulator.js';
import { parseJsonObject } from '../vendor-errors.js';
import { refuse } from './voyage-errors.js';

const MODELS = ['rerank-2.5', 'rerank-2.5-lite'];
const FIELDS: ReadonlySet<string> = new Set('query documents model top_k return_documents truncation'.split(' '));
const MAX_DOCUMENTS = 1_000;
const MAX_TOKENS = 600_000;

const readDocuments = (documents: unknown): readonly string[] => {
  if (!Array.isArray(documents) || documents.length === 0 || documents.some((text) => typeof text !== 'string')) {
    throw refuse(400, "Argument 'documents' must be a list of strings and cannot be empty.");
  }
  if (documents.length > MAX_DOCUMENTS) throw refuse(400, `The number of documents cannot exceed ${MAX_DOCUMENTS}.`);
  return documents as readonly string[];
};

const readRerank = (request: Fields) => {
  const model = textOf(request.model);
  if (!MODELS.includes(model)) {
    throw refuse(400, `Model ${model} is not supported. Supported models are ['${MODELS.join("', '")}'].`);
  }
  const unknown = Object.keys(request).find((name) => !FIELDS.has(name));
  if (unknown !== undefined) throw refuse(400, `Argument '${unknown}' is not supported by our API.`);
  const documents = readDocuments(request.documents);
  const query = textOf(request.query);
  if (query === '') throw refuse(400, "Argument 'query' cannot be empty.");
  const top = request.top_k ?? documents.length;
  if (typeof top !== 'number' || !Number.isInteger(top) || top < 1) throw refuse(400, "Argument 'top_k' is not valid.");
  const tokens = tokensOf(query, documents);
  if (tokens > MAX_TOKENS) throw refuse(400, `The total number of tokens cannot exceed ${MAX_TOKENS}, got ${tokens}.`);
  return { model, query, documents, top, tokens, returnsDocuments: request.return_documents === true };
};

/** Query tokens times documents, and the tokens of all documents: docs.voyageai.com/docs/faq. */
const tokensOf = (query: string, documents: readonly string[]): number =>
  documents.reduce((sum, text) => sum + tokensOfText(text), tokensOfText(query) * documents.length);

/** Words of the query that a document has; a hash breaks ties, so that no two scores are equal. */
const scoreOf = (query: string, text: string, index: number): number => {
  const words = new Set(query.toLowerCase().match(/\w+/g) ?? []);
  const shared = [...words].filter((word) => text.toLowerCase().includes(word)).length;
  const tie = createHash('sha256').update(`${index} ${text}`).digest().readUInt16BE() / 2 ** 24;
  return Number((shared / (words.size + 1) + tie).toFixed(6));
};

const handle = (incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const request = parseJsonObject(incoming, () => refuse(400, 'Request body could not be parsed as JSON.'));
  incoming.record.model = textOf(request.model);
  const { model, query, documents, top, tokens, returnsDocuments } = readRerank(request);
  const directives = memory.repeats.activeDirectives('voyage', [query]);
  const billedTokens = directives.promptTokens ?? tokens;
  return {
    kind: 'rendered',
    directives,
    headers: {},
    usage: invoiceOf({}, { input: billedTokens }),
    whole: () =>
      JSON.stringify({
        object: 'list',
        data: documents
          .map((document, index) => ({
            relevance_score: scoreOf(query, document, index),
            index,
            ...(returnsDocuments && { document }),
          }))
          .sort((one, other) => other.relevance_score - one.relevance_score)
          .slice(0, top),
        model,
        ...(directives.hidesUsage === true ? {} : { usage: { total_tokens: billedTokens } }),
      }),
  };
};

export const rerankRoute: Route = { method: 'POST', path: '/v1/rerank', protocol: 'voyage-rerank', handle };
