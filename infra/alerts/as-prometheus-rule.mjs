import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/**
 * The rules of this folder as a resource of the Prometheus operator: `node as-prometheus-rule.mjs | kubectl apply -f
 * -`.
 */
export function prometheusRule() {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.yaml'));
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'gateway', namespace: 'gateway' },
    spec: {
      groups: files.flatMap((file) => parse(readFileSync(join(import.meta.dirname, file), 'utf8')).groups),
    },
  };
}

if (process.argv[1] === import.meta.filename) console.log(JSON.stringify(prometheusRule(), null, 2));
