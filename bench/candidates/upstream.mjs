const VENDOR_PATH = '/openai/v1';

/** The simulator's chat-completions vendor: the upstream of every candidate. */
export const upstreamOf = (simulatorUrl) => ({
  origin: simulatorUrl,
  base: `${simulatorUrl}${VENDOR_PATH}`,
  path: `${VENDOR_PATH}/chat/completions`,
  model: 'gpt-5.4-mini',
  headers: { 'content-type': 'application/json', authorization: 'Bearer sk-bench' },
});
