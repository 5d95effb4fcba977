/** OpenAI's codes and types of a spent or refused credential, whatever the status: a 429 of these is no rate limit. */
export const OPENAI_CREDENTIAL_WORDS: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'project_spend_limit_exceeded',
  'billing_hard_limit_reached',
  'billing_not_active',
  'account_deactivated',
  'invalid_api_key',
  'model_not_found',
]);
