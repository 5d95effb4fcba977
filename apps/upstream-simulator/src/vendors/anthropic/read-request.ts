import { PromptTally } from '../../count/tokens.js';
import { type Fields, fieldsOf, isFields, listOf } from '../../json/fields.js';
import type { IncomingRequest } from '../vendor-emulator.js';
import { invalid, refuse } from './anthropic-errors.js';
import { type AnthropicModel, findModel } from './anthropic-models.js';
import { CachePrefix, hasCacheControl } from './cache-prefix.js';
import { checkRequest, checkVersion } from './check-request.js';
import { readMessages, readSystem } from './read-messages.js';

export interface AnthropicCall {
  readonly request: Fields;
  readonly model: AnthropicModel;
  readonly tally: PromptTally;
  readonly cache: CachePrefix | null;
}

const parse = (incoming: IncomingRequest): Fields => {
  let request: unknown;
  try {
    request = JSON.parse(incoming.body.toString('utf8'));
  } catch (error) {
    throw invalid(`The request body is not valid JSON: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
  if (!isFields(request)) throw invalid('Input should be a valid dictionary');
  return request;
};

export const readRequest = (incoming: IncomingRequest, isCount: boolean): AnthropicCall => {
  const version = checkVersion(incoming.headers['anthropic-version']?.toString());
  const request = parse(incoming);
  if (typeof request.model !== 'string') throw invalid('model: Field required');
  incoming.record.model = request.model;
  const model = findModel(request.model);
  if (model === undefined) throw refuse(404, 'not_found_error', `model: ${request.model}`);
  checkRequest(request, model, version, isCount);
  const tally = new PromptTally();
  const cache = hasCacheControl(request) ? new CachePrefix(`${incoming.credential}/${model.id}`) : null;
  for (const tool of listOf(request.tools)) cache?.add(fieldsOf(tool), '');
  readSystem(request.system, { tally, cache });
  readMessages(request.messages, model.supportsSystemMessages, { tally, cache });
  if (isFields(request.cache_control)) {
    // At the top level it is a breakpoint at the end of the prompt.
    cache?.add({ cache_control: request.cache_control }, '');
  }
  cache?.check();
  return { request, model, tally, cache };
};
