import type { ModelWithCapability } from '@gateway/catalogue';
import { type EmbeddingsRequest, embeddingsRequest, GatewayError } from '@gateway/contracts';
import { describeIssue } from '../describe-issue.js';

/** The request with a length of vector that the model has. Throws a 400 that names the field. */
export function validateEmbeddings(
  body: Record<string, unknown>,
  model: ModelWithCapability<'embeddings'>,
): EmbeddingsRequest {
  const parsed = embeddingsRequest.safeParse(body);
  if (!parsed.success) throw describeIssue(parsed.error);
  checkDimensions(parsed.data, model);
  return parsed.data;
}

function checkDimensions({ dimensions: asked }: EmbeddingsRequest, model: ModelWithCapability<'embeddings'>): void {
  if (asked == null) return;
  const { dimensions } = model.embeddings.traits;
  const isRange = 'least' in dimensions;
  const isLegal = isRange ? asked >= dimensions.least && asked <= dimensions.most : dimensions.includes(asked);
  if (isLegal) return;
  const legal = isRange ? `${dimensions.least} to ${dimensions.most}` : dimensions.join(', ');
  throw new GatewayError('invalid_request', `'dimensions': ${model.id} gives ${legal} dimensions, not ${asked}.`, {
    param: 'dimensions',
  });
}
