import type { FastifyInstance } from 'fastify';

const IN_BRACKETS = /^\[([^\]]+)\](?::\d+)?$/;
const IPV4_WITH_PORT = /^(\d{1,3}(?:\.\d{1,3}){3}):\d+$/;

/** IPv6 without brackets has no port: the last group belongs to the address. */
const addressOf = (entry: string): string => (IN_BRACKETS.exec(entry) ?? IPV4_WITH_PORT.exec(entry))?.[1] ?? entry;

/** Preserves entries such as `unknown`: without them a reader would trust the entry before. */
const removePorts = (forwardedFor: string): string =>
  forwardedFor
    .split(',')
    .map((entry) => addressOf(entry.trim()))
    .join(', ');

/**
 * Call it before other hooks. Some proxies append the port to an address (`203.0.113.7:51234`, `[2001:db8::1]:443`).
 * It then equals no address of a client or trusted proxy. Fastify (`trustProxy`) still decides which entries to trust.
 */
export function readProxiedAddresses(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    const forwardedFor = headers['x-forwarded-for'];
    if (typeof forwardedFor === 'string') headers['x-forwarded-for'] = removePorts(forwardedFor);
    done();
  });
}
