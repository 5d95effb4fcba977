import { ofKind } from './render.mjs';

const UNITS_MS = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };
const millisecondsOf = (duration) =>
  [...duration.matchAll(/(\d+)(ms|h|m|s)/g)].reduce((sum, [, count, unit]) => sum + Number(count) * UNITS_MS[unit], 0);

function ofGateway({ spec }) {
  return spec.rules.flatMap(({ matches, backendRefs, timeouts }) =>
    matches.map(({ path }) => ({
      host: spec.hostnames[0],
      path: path.value,
      isExact: path.type === 'Exact',
      backends: backendRefs.map(({ name, port }) => ({ service: name, port })),
      // A route without its own settings uses the defaults.
      timeoutsMs: Object.values(timeouts ?? {}).map(millisecondsOf),
    })),
  );
}

const NGINX = 'nginx.ingress.kubernetes.io/';
/** Defaults of nginx. */
const NGINX_SECONDS = '60';

function ofIngress({ metadata: { annotations = {} }, spec }) {
  const seconds = ['proxy-read-timeout', 'proxy-send-timeout'].map(
    (name) => annotations[NGINX + name] ?? NGINX_SECONDS,
  );
  return spec.rules.flatMap(({ host, http }) =>
    http.paths.map(({ path, pathType, backend: { service } }) => ({
      host,
      path,
      isExact: pathType === 'Exact',
      backends: [{ service: service.name, port: service.port.name ?? service.port.number }],
      timeoutsMs: seconds.map((text) => Number(text) * 1_000),
      annotation: (name) => annotations[NGINX + name],
    })),
  );
}

/** The public routes: host, path, target and time-out. */
export const routesOf = (manifests) => [
  ...ofKind(manifests, 'HTTPRoute').flatMap(ofGateway),
  ...ofKind(manifests, 'Ingress').flatMap(ofIngress),
];
