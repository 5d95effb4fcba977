import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isUndescribed } from '@gateway/testing';
import type { Operation } from './document.js';

/** The variables of services that report their routes. */
export const reportRoutes = () => ({
  ROUTES_FOLDER: mkdtempSync(join(tmpdir(), 'routes-')),
  NODE_OPTIONS: `--import=${new URL('report-routes.mjs', import.meta.url).href}`,
});

/** `GET /v1/models/:id`: a HEAD is the twin of its GET. */
const registeredRoutes = (folder: string, service: string): readonly string[] => {
  const lines = readFileSync(join(folder, service), 'utf8').trim().split('\n');
  return [...new Set(lines.filter((line) => !line.startsWith('HEAD ')))];
};

/** Names of parameters may differ. One route serves all calls of Google's API, which the document has one by one. */
const comparable = (route: string): string =>
  route
    .replace(/^POST \/v1(?:beta)?\/models\/(?::call|\{model\}:[A-Za-z]+)$/, 'POST calls')
    .replaceAll(/:[A-Za-z]+|\{[A-Za-z]+\}/g, '{}');

/** No server registers it: it is an upgrade of a connection. */
const isSocket = ({ id }: Operation): boolean => id === 'responses.socket';

/** The routes of a running service beside those of its document. */
export function routeDifferences(folder: string, service: string, operations: readonly Operation[]) {
  const described = new Set(
    operations.filter((one) => !isSocket(one)).map(({ method, path }) => comparable(`${method} ${path}`)),
  );
  const registered = registeredRoutes(folder, service).filter((route) => !isUndescribed(route.split(' ')[1] ?? ''));
  const known = new Set(registered.map(comparable));
  return {
    notDescribed: registered.filter((route) => !described.has(comparable(route))),
    notRegistered: [...described].filter((route) => !known.has(route)),
  };
}
