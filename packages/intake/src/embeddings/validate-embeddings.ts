import type { ModelWithCapability } from '@gateway/catalogue';
import { type EmbeddingsRequest, embeddingsRequest, GatewayError, type Usage } from '@gateway/contracts';
import { checked } from '../checked.js';
import { maxTokensOfText } from '../max-tokens.js';

/** Validates the body and its `dimensions` by the model. Throws a 400 that names the field. */
export function validateEmbeddings(
  body: Record<string, unknown>,
  model: ModelWithCapability<'embeddings'>,
): EmbeddingsRequest {
  const request = checked(embeddingsRequest, body);
  const { dimensions, output_dimension: voyageName } = request;
  checkDimensions(dimensions, model, 'dimensions');
  checkDimensions(voyageName, model, 'output_dimension');
  if (dimensions != null && voyageName != null && dimensions !== voyageName) throw twoLengths();
  return request;
}

const twoLengths = (): GatewayError =>
  new GatewayError('invalid_request', "'output_dimension': expected the same number as 'dimensions', or only one.", {
    param: 'output_dimension',
  });

/** The body with `dimensions`, where the client uses Voyage's name. Undefined: there is nothing to rename. */
export function renameDimensions(body: Record<string, unknown>): Record<string, unknown> | undefined {
  const { output_dimension: voyageName, ...others } = body;
  return voyageName == null ? undefined : { ...others, dimensions: voyageName };
}

/** Throws a 400 that names `param` for a length of vectors that the model lacks. */
export function checkDimensions(
  requested: number | null | undefined,
  model: ModelWithCapability<'embeddings'>,
  param: string,
): void {
  if (requested == null) return;
  const { dimensions } = model.embeddings.traits;
  const isRange = 'least' in dimensions;
  const isSupported = isRange
    ? requested >= dimensions.least && requested <= dimensions.most
    : dimensions.includes(requested);
  if (isSupported) return;
  const supported = isRange ? `${dimensions.least} to ${dimensions.most}` : dimensions.join(', ');
  throw new GatewayError(
    'invalid_request',
    `'${param}': ${model.id} supports ${supported} dimensions, got ${requested}.`,
    { param },
  );
}

/** Some upstreams count marks around each text. */
const TOKENS_PER_TEXT = 2;

/** The maximum of tokens that the texts can reasonably have. */
export const worstCaseOfEmbeddings = ({ input }: EmbeddingsRequest): Usage =>
  worstCaseOfTexts(typeof input === 'string' ? [input] : input);

export function worstCaseOfTexts(texts: readonly string[]): Usage {
  const tokens = texts.reduce((sum, text) => sum + TOKENS_PER_TEXT + maxTokensOfText(text), 0);
  return { units: { input_token: tokens }, inputTokensTotal: tokens, isEstimated: true };
}
