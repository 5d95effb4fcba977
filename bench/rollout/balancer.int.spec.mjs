import { once } from 'node:events';
import { Agent, createServer, get } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { reserveRandomPort } from '../../infra/local/ports.mjs';
import { Balancer } from './balancer.mjs';

const ends = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** An instance that returns its name for every request. */
async function startCopy(name) {
  const copy = createServer((_request, response) => response.end(name));
  copy.listen(0, '127.0.0.1');
  await once(copy, 'listening');
  ends.push(() => {
    copy.close();
    copy.closeAllConnections();
  });
  const { port } = copy.address();
  return { name, url: `http://127.0.0.1:${port}`, ports: { PORT: port } };
}

async function balanced(...names) {
  const balancer = await Balancer.listen(await reserveRandomPort());
  ends.push(() => balancer.close());
  for (const name of names) await balancer.add(await startCopy(name));
  return balancer;
}

async function responseOf(url, agent = false) {
  const [response] = await once(get(url, { agent }), 'response');
  return Buffer.concat(await response.toArray()).toString();
}

const responsesOf = async (url, count) => {
  const responses = [];
  while (responses.length < count) responses.push(await responseOf(url));
  return new Set(responses);
};

describe('the balancer', () => {
  it('distributes connections in turn and skips an instance that is about to stop', async () => {
    const balancer = await balanced('a', 'b');
    expect(await responsesOf(balancer.url, 4)).toEqual(new Set(['a', 'b']));
    balancer.announceStop('a');
    expect(await responsesOf(balancer.url, 4)).toEqual(new Set(['b']));
    await balancer.announceStart('a');
    expect(await responsesOf(balancer.url, 4)).toEqual(new Set(['a', 'b']));
    expect(balancer.refused).toBe(0);
  });

  it('leaves an open connection with its instance, as a Service does', async () => {
    const balancer = await balanced('a');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    ends.push(() => agent.destroy());
    expect(await responseOf(balancer.url, agent)).toBe('a');
    await balancer.add(await startCopy('b'));
    balancer.announceStop('a');
    expect(await responseOf(balancer.url, agent)).toBe('a');
    expect(await responseOf(balancer.url)).toBe('b');
  });

  it('counts a connection that its instance rejects and tries no other', async () => {
    const balancer = await balanced('a');
    balancer.announceStop('a');
    await expect(responseOf(balancer.url)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(balancer.refused).toBe(1);
  });
});
