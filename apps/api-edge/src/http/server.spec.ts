import { expect, it } from '@jest/globals';
import { createHttpAdapter } from './server.js';

it('routes an id that is as long as a vendor makes it', async () => {
  const server = createHttpAdapter(undefined, async () => undefined).getInstance();
  server.get('/v1beta/interactions/:id', async ({ params }) => params);
  const id = `v1_${'a'.repeat(1_000)}`;
  const response = await server.inject(`/v1beta/interactions/${id}`);
  expect([response.statusCode, response.json()]).toEqual([200, { id }]);
});
