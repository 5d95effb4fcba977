import {
  apiEdgeConfig,
  billingConfig,
  loadConfig,
  mcpServerConfig,
  syncWorkerConfig,
  upstreamSimulatorConfig,
  videoWorkerConfig,
} from '@gateway/config';

/**
 * Every service that has an image: the schema of its variables, which of them are the ports that it listens on (by the
 * name of the container's port), and which stores it needs. Compose file and manifests are held against this.
 */
export const DEPLOYED = {
  'api-edge': { schema: apiEdgeConfig, ports: { http: 'PORT', relay: 'RELAY_PORT' } },
  'sync-worker': { schema: syncWorkerConfig, ports: { http: 'PORT' } },
  'video-worker': { schema: videoWorkerConfig, ports: { http: 'PORT' } },
  billing: { schema: billingConfig, ports: { http: 'PORT' } },
  'mcp-server': { schema: mcpServerConfig, ports: { http: 'PORT' } },
  'upstream-simulator': { schema: upstreamSimulatorConfig, ports: { http: 'PORT' } },
};

/** The variables that a service reads. */
const variablesOf = (service) => Object.keys(DEPLOYED[service].schema.in.shape);

/** Of these names those that the service would never read: misspelt, or another service's. */
export function unknownVariables(service, names) {
  const known = new Set(variablesOf(service));
  return names.filter((name) => !known.has(name));
}

export const reads = (service, name) => variablesOf(service).includes(name);

/** Whether a service sends traces to a collector. */
export const canTrace = (service) => reads(service, 'OTEL_EXPORTER_OTLP_ENDPOINT');

/** Its secret variables, which never have a default in production. */
export const secretsOf = (service) => variablesOf(service).filter((name) => /_(SECRET|TOKEN|SECRET_KEYS)$/.test(name));

/** The configuration that a service would start with; throws what the service itself would say. */
export const configOf = (service, environment) => loadConfig(service, DEPLOYED[service].schema, environment);
