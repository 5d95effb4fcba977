import { type Fields, isFields } from '../../json/fields.js';
import type { IncomingRequest, Memory } from '../vendor-emulator.js';
import { invalid, retiredModel, unknownModel } from './openai-errors.js';
import { findModel, type OpenAiModel } from './openai-models.js';

export type OpenAiCall = Readonly<{ request: Fields; model: OpenAiModel }>;

export const readBody = (incoming: IncomingRequest, { calendar }: Memory): OpenAiCall => {
  let request: unknown;
  try {
    request = JSON.parse(incoming.body.toString('utf8'));
  } catch {
    throw invalid(
      "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)",
    );
  }
  if (!isFields(request)) throw invalid('Invalid body: expected an object.');
  if (typeof request.model !== 'string' || request.model === '') throw invalid('you must provide a model parameter');
  incoming.record.model = request.model;
  const model = findModel(request.model);
  if (model === undefined) throw unknownModel(request.model);
  if (calendar.isRetired('openai', model.id)) throw retiredModel(request.model);
  return { request, model };
};
