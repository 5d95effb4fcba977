import { afterEach, describe, expect, it } from '@jest/globals';
import createFastify, { type FastifyInstance } from 'fastify';
import { readProxiedAddresses } from './proxied-addresses.js';

const TRUSTED = ['127.0.0.1', '10.0.0.0/8', '2001:db8:ffff::/48'];

let fastify: FastifyInstance;

afterEach(() => fastify.close());

async function addressOf(forwardedFor: string | string[], trustProxy: string[] | false = TRUSTED): Promise<string> {
  fastify = createFastify({ trustProxy });
  readProxiedAddresses(fastify);
  fastify.get('/', async ({ ip }) => ip);
  return (await fastify.inject({ url: '/', headers: { 'x-forwarded-for': forwardedFor } })).body;
}

describe('readProxiedAddresses', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['[::ffff:203.0.113.7]:51234', '::ffff:203.0.113.7'],
    ['[fe80::1%eth0]:443', 'fe80::1%eth0'],
    // Without brackets a port cannot be distinguished from the last group.
    ['2001:db8::1:443', '2001:db8::1:443'],
    ['  203.0.113.7:51234\t,\t10.0.0.5:8080  ', '203.0.113.7'],
    ['203.0.113.7:51234, [::ffff:10.0.0.5]:80, 10.0.0.6', '203.0.113.7'],
    ['203.0.113.7,[2001:db8:ffff::9]:443', '203.0.113.7'],
    [',203.0.113.7:51234, ,,10.0.0.5,', '203.0.113.7'],
    ['10.0.0.4:1, 10.0.0.5:2', '10.0.0.4'],
    [' , ,', '127.0.0.1'],
    ['', '127.0.0.1'],
  ])('reads %j as %s', async (forwardedFor, address) => {
    expect(await addressOf(forwardedFor)).toBe(address);
  });

  it.each([
    ['203.0.113.7, 198.51.100.1:51234', '198.51.100.1'],
    ['203.0.113.7:1, 10.0.0.9:2, 198.51.100.1:3, 10.0.0.5:4', '198.51.100.1'],
    ['203.0.113.7, unknown', 'unknown'],
    ['203.0.113.7, _hidden:80, 10.0.0.5', '_hidden:80'],
    ['203.0.113.7, 10.0.0.5:80:80', '10.0.0.5:80:80'],
    ['203.0.113.7, [10.0.0.5', '[10.0.0.5'],
  ])('stops at the first untrusted address of %j: %s', async (forwardedFor, address) => {
    expect(await addressOf(forwardedFor)).toBe(address);
  });

  it('joins several headers', async () => {
    expect(await addressOf(['203.0.113.7:51234', '10.0.0.5:80'])).toBe('203.0.113.7');
    expect(await addressOf(['203.0.113.7', '198.51.100.1:80'])).toBe('198.51.100.1');
  });

  it('ignores the header if no proxy is trusted', async () => {
    expect(await addressOf('203.0.113.7:51234', false)).toBe('127.0.0.1');
  });
});
