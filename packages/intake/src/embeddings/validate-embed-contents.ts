import type { ModelWithCapability } from '@gateway/catalogue';
import {
  batchEmbedContentsRequest,
  type Changes,
  type ContentToEmbed,
  contentsToEmbed,
  embedContentRequest,
  GatewayError,
  NO_CHANGES,
  type Usage,
} from '@gateway/contracts';
import { checked } from '../checked.js';
import { checkModel } from '../generate-content/validate-generate.js';
import { checkDimensions, worstCaseOfTexts } from './validate-embeddings.js';

type Body = Readonly<Record<string, unknown>>;
type EmbeddingModel = ModelWithCapability<'embeddings'>;

/** What admission needs of a valid request. */
export interface ValidEmbedContents {
  readonly worstCase: Usage;
  readonly changes: Changes;
}

const UNIFORM = ['taskType', 'title', 'dimensions'] as const satisfies readonly (keyof ContentToEmbed)[];
const PARAMS = { taskType: 'taskType', title: 'title', dimensions: 'outputDimensionality' } as const;

/** Validates the body of `embedContent`, or with `isBatch` of `batchEmbedContents`. Throws a 400 that names the field. */
export function validateEmbedContents(body: Body, model: EmbeddingModel, isBatch: boolean): ValidEmbedContents {
  checkModel(body, model);
  const requests = isBatch ? checked(batchEmbedContentsRequest, body).requests : [checked(embedContentRequest, body)];
  for (const request of requests) checkModel(request, model);
  const contents = contentsToEmbed(body);
  for (const [index, content] of contents.entries()) {
    checkContent(content, contents[0], isBatch ? `requests[${index}].` : '');
  }
  checkDimensions(contents[0]?.dimensions, model, `${isBatch ? 'requests[0].' : ''}outputDimensionality`);
  return { worstCase: worstCaseOfTexts(contents.map(({ text }) => text)), changes: droppedOf(contents[0], model) };
}

/** One upstream call has one setting for all of its texts. */
function checkContent(content: ContentToEmbed, first: ContentToEmbed | undefined, place: string): void {
  if (content.text === '') throw refusal(`${place}content`, 'expected text, got an empty string');
  const odd = UNIFORM.find((name) => content[name] !== first?.[name]);
  if (odd !== undefined) throw refusal(`${place}${PARAMS[odd]}`, 'expected the same value in all requests of a batch');
}

const refusal = (param: string, expected: string): GatewayError =>
  new GatewayError('invalid_request', `'${param}': ${expected}.`, { param });

/** Only Google's models know what a text is for. */
function droppedOf(content: ContentToEmbed | undefined, model: EmbeddingModel): Changes {
  if (model.embeddings.protocol === 'gemini-embeddings') return NO_CHANGES;
  const dropped = (['taskType', 'title'] as const).filter((name) => content?.[name] !== undefined);
  return dropped.length === 0 ? NO_CHANGES : { filled: {}, dropped };
}
