export {
  type AccountClient,
  type ClientOptions,
  createAccountClient,
  createPublicClient,
  dataOf,
  type PublicClient,
} from './create-clients.js';
export { followTask, type VideoTask, waitForTask } from './follow-task.js';
export { type ErrorBody, GatewayError } from './gateway-error.js';
export type { components as AccountComponents } from './generated/accounts.js';
export type { components as PublicComponents } from './generated/public.js';
export { type Page, readPages } from './read-pages.js';
export { readWebhook, type WebhookEvent, type WebhookHeaders } from './read-webhook.js';
