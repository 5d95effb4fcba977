import {
  accountsConfig,
  apiEdgeConfig,
  batchWorkerConfig,
  billingConfig,
  loadConfig,
  mcpServerConfig,
  syncWorkerConfig,
  upstreamSimulatorConfig,
  videoWorkerConfig,
} from '@gateway/config';

/**
 * Every service with an image: the schema of its variables, its port variables by the name of the container's port, and
 * its stores. The specs check the compose file and the manifests against it.
 */
export const DEPLOYED = {
  'api-edge': { schema: apiEdgeConfig, ports: { http: 'PORT', relay: 'RELAY_PORT', ops: 'OPS_PORT' } },
  'sync-worker': { schema: syncWorkerConfig, ports: { ops: 'PORT' } },
  'video-worker': { schema: videoWorkerConfig, ports: { ops: 'PORT' } },
  'batch-worker': { schema: batchWorkerConfig, ports: { ops: 'PORT' } },
  billing: { schema: billingConfig, ports: { ops: 'PORT' } },
  accounts: { schema: accountsConfig, ports: { http: 'PORT', ops: 'OPS_PORT' } },
  'mcp-server': { schema: mcpServerConfig, ports: { http: 'PORT', ops: 'OPS_PORT' } },
  'upstream-simulator': { schema: upstreamSimulatorConfig, ports: { ops: 'PORT' } },
};

/** The variables that a service reads. */
const variablesOf = (service) => Object.keys(DEPLOYED[service].schema.in.shape);

/** The names that the service never reads: misspelt, or another service's. */
export function unknownVariables(service, names) {
  const known = new Set(variablesOf(service));
  return names.filter((name) => !known.has(name));
}

export const reads = (service, name) => variablesOf(service).includes(name);

/** Whether a service sends traces to a collector. */
export const canTrace = (service) => reads(service, 'OTEL_EXPORTER_OTLP_ENDPOINT');

/** Its secret variables, which never have a default in production. */
export const secretsOf = (service) => variablesOf(service).filter((name) => /_(SECRET|TOKEN|SECRET_KEYS)$/.test(name));

/** The configuration that a service would start with; throws the service's own error. */
export const configOf = (service, environment) => loadConfig(service, DEPLOYED[service].schema, environment);
