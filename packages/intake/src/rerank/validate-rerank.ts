import type { ModelWithCapability } from '@gateway/catalogue';
import { GatewayError, type RerankRequest, rerankRequest, textsOfDocuments, type Usage } from '@gateway/contracts';
import { checked } from '../checked.js';
import { maxTokensOfText } from '../max-tokens.js';

/** Validates the body. Throws a 400 that names the field. */
export function validateRerank(body: Record<string, unknown>, model: ModelWithCapability<'rerank'>): RerankRequest {
  const request = checked(rerankRequest, body);
  const { documents } = model.rerank.traits;
  if (request.documents.length > documents) {
    throw invalid('documents', `${model.id} supports at most ${documents} documents, got ${request.documents.length}`);
  }
  if (request.top_n != null && request.top_k != null && request.top_n !== request.top_k) {
    throw invalid('top_k', "expected either 'top_n' or 'top_k': they are names of one setting");
  }
  return request;
}

const invalid = (param: string, message: string): GatewayError =>
  new GatewayError('invalid_request', `'${param}': ${message}.`, { param });

/** Marks around the query and each document. */
const TOKENS_PER_PAIR = 6;

/** The model reads the query with each document, and the vendor bills it so. */
export function worstCaseOfRerank(request: RerankRequest): Usage {
  const query = maxTokensOfText(request.query) + TOKENS_PER_PAIR;
  const tokens = textsOfDocuments(request).reduce((sum, text) => sum + query + maxTokensOfText(text), 0);
  return { units: { input_token: tokens }, inputTokensTotal: tokens, isEstimated: true };
}
