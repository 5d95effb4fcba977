import { newId } from '../vendor-ids.js';

/** Headers of every answer. */
export const openAiHeaders = () => ({
  'x-request-id': `req_${newId(24)}`,
  'openai-processing-ms': '12',
  'openai-version': '2020-10-01',
  'openai-organization': 'org-simulated',
  'x-ratelimit-limit-requests': '500',
  'x-ratelimit-limit-tokens': '30000',
  'x-ratelimit-remaining-requests': '499',
  'x-ratelimit-remaining-tokens': '29780',
  'x-ratelimit-reset-requests': '120ms',
  'x-ratelimit-reset-tokens': '440ms',
});
