import type { FixedReply, IncomingRequest, Route } from '../vendor-emulator.js';
import { anthropicHeaders, invalid, refuse } from './anthropic-errors.js';
import { findModel, modelEntry, modelPage } from './anthropic-models.js';
import { checkVersion } from './check-request.js';

const MAX_LIMIT = 1_000;

const reply = (body: object): FixedReply => ({
  kind: 'fixed',
  headers: anthropicHeaders(),
  body: JSON.stringify(body),
});

const list = ({ headers, query }: IncomingRequest): FixedReply => {
  checkVersion(headers['anthropic-version']?.toString());
  const limit = query.limit === undefined ? undefined : Number(query.limit);
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT)) {
    throw invalid('limit: Input should be between 1 and 1000');
  }
  return reply(modelPage(limit, query.after_id));
};

const one = ({ headers, params }: IncomingRequest): FixedReply => {
  checkVersion(headers['anthropic-version']?.toString());
  const model = findModel(params.model ?? '');
  if (model === undefined) throw refuse(404, 'not_found_error', `model: ${params.model}`);
  return reply(modelEntry(model));
};

export const modelRoutes: readonly Route[] = [
  { method: 'GET', path: '/v1/models', protocol: 'anthropic-models', handle: list },
  { method: 'GET', path: '/v1/models/:model', protocol: 'anthropic-models', handle: one },
];
