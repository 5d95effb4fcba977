import type { FastifyInstance } from 'fastify';

const IN_BRACKETS = /^\[([^\]]+)\](?::\d+)?$/;
const IPV4_WITH_PORT = /^(\d{1,3}(?:\.\d{1,3}){3}):\d+$/;

/** IPv6 without brackets has no port: what follows its last colon may be a part of it. */
const addressOf = (entry: string): string => (IN_BRACKETS.exec(entry) ?? IPV4_WITH_PORT.exec(entry))?.[1] ?? entry;

/** What is no address, such as `unknown`, stays: whoever asks for an address must not be given the entry before it. */
const withoutPorts = (forwardedFor: string): string =>
  forwardedFor
    .split(',')
    .map((entry) => addressOf(entry.trim()))
    .join(', ');

/**
 * Call it before other hooks. Some proxies write the port of a connection behind its address (`203.0.113.7:51234`,
 * `[2001:db8::1]:443`), which nobody who compares addresses would recognise: neither the client's nor that of a trusted proxy on the
 * way. Whom to believe stays Fastify's matter (`trustProxy`), entry by entry from the right.
 */
export function readProxiedAddresses(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    const told = headers['x-forwarded-for'];
    if (typeof told === 'string') headers['x-forwarded-for'] = withoutPorts(told);
    done();
  });
}
