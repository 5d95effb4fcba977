import diagnostics from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';

/* Loaded before a service: writes each route that its server registers, `GET /v1/models`, to a file of its name. */

const [, service] = /\/apps\/([^/]+)\/dist\//.exec(process.argv[1] ?? '') ?? [];

diagnostics.subscribe('fastify.initialization', ({ fastify }) => {
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const verb of [method].flat()) appendFileSync(`${process.env.ROUTES_FOLDER}/${service}`, `${verb} ${url}\n`);
  });
});
