import type { ModelWithCapability } from '@gateway/catalogue';
import { type EmbeddingsRequest, embeddingsRequest, GatewayError, type Usage } from '@gateway/contracts';
import { describeIssue } from '../describe-issue.js';
import { maxTokensOfText } from '../max-tokens.js';

/** Validates the body and its `dimensions` by the model. Throws a 400 that names the field. */
export function validateEmbeddings(
  body: Record<string, unknown>,
  model: ModelWithCapability<'embeddings'>,
): EmbeddingsRequest {
  const parsed = embeddingsRequest.safeParse(body);
  if (!parsed.success) throw describeIssue(parsed.error);
  checkDimensions(parsed.data.dimensions, model, 'dimensions');
  return parsed.data;
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
