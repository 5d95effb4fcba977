import { once } from 'node:events';
import { Agent, createServer, get } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { reserveRandomPort } from '../../infra/local/ports.mjs';
import { Balancer } from './balancer.mjs';

const ends = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A copy that answers every request with its name. */
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

async function answerOf(url, agent = false) {
  const [response] = await once(get(url, { agent }), 'response');
  return Buffer.concat(await response.toArray()).toString();
}

const answersOf = async (url, count) => {
  const answers = [];
  while (answers.length < count) answers.push(await answerOf(url));
  return new Set(answers);
};

describe('the balancer', () => {
  it('gives connections to its copies in turn, and none to one that is announced to stop', async () => {
    const balancer = await balanced('a', 'b');
    expect(await answersOf(balancer.url, 4)).toEqual(new Set(['a', 'b']));
    balancer.announceStop('a');
    expect(await answersOf(balancer.url, 4)).toEqual(new Set(['b']));
    await balancer.announceStart('a');
    expect(await answersOf(balancer.url, 4)).toEqual(new Set(['a', 'b']));
    expect(balancer.refused).toBe(0);
  });

  it('leaves a connection with the copy that has it, as a Service does', async () => {
    const balancer = await balanced('a');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    ends.push(() => agent.destroy());
    expect(await answerOf(balancer.url, agent)).toBe('a');
    await balancer.add(await startCopy('b'));
    balancer.announceStop('a');
    expect(await answerOf(balancer.url, agent)).toBe('a');
    expect(await answerOf(balancer.url)).toBe('b');
  });

  it('counts a connection that no copy takes, and tries no other one', async () => {
    const balancer = await balanced('a');
    balancer.announceStop('a');
    await expect(answerOf(balancer.url)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(balancer.refused).toBe(1);
  });
});
