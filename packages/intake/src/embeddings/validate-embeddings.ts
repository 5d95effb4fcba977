import type { ModelWithCapability } from '@gateway/catalogue';
import { type EmbeddingsRequest, embeddingsRequest, GatewayError } from '@gateway/contracts';
import { describeIssue } from '../describe-issue.js';

/** Validates the body and its `dimensions` by the model. Throws a 400 that names the field. */
export function validateEmbeddings(
  body: Record<string, unknown>,
  model: ModelWithCapability<'embeddings'>,
): EmbeddingsRequest {
  const parsed = embeddingsRequest.safeParse(body);
  if (!parsed.success) throw describeIssue(parsed.error);
  checkDimensions(parsed.data, model);
  return parsed.data;
}

function checkDimensions({ dimensions: requested }: EmbeddingsRequest, model: ModelWithCapability<'embeddings'>): void {
  if (requested == null) return;
  const { dimensions } = model.embeddings.traits;
  const isRange = 'least' in dimensions;
  const isLegal = isRange
    ? requested >= dimensions.least && requested <= dimensions.most
    : dimensions.includes(requested);
  if (isLegal) return;
  const legal = isRange ? `${dimensions.least} to ${dimensions.most}` : dimensions.join(', ');
  throw new GatewayError('invalid_request', `'dimensions': ${model.id} gives ${legal} dimensions, not ${requested}.`, {
    param: 'dimensions',
  });
}
