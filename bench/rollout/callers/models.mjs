/** The requests of customers during the rollout, each for another vendor or endpoint. */
export const MODELS = {
  chat: 'gp-5.4-mini',
  stream: 'cl-sonnet-4-6',
  embeddings: 'text-embedding-v4',
  image: 'gp-image-1',
  video: 'wn2.6-t2v',
  tool: 'gm-3.5-flash-lite',
};

export const idOf = (response) => response.headers.get('x-request-id');
export const messagesOf = (content) => [{ role: 'user', content }];
