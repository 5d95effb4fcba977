const VENDOR_PATH = '/openai/v1';

/** The simulator's chat-completions persona: what every candidate stands in front of. */
export const upstreamOf = (simulatorUrl) => ({
  origin: simulatorUrl,
  base: `${simulatorUrl}${VENDOR_PATH}`,
  path: `${VENDOR_PATH}/chat/completions`,
  model: 'gpt-5.4-mini',
  headers: { 'content-type': 'application/json', authorization: 'Bearer sk-bench' },
});
