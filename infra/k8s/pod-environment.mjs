import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { projectRoot } from '../local/project-paths.mjs';
import { ofKind } from './render.mjs';

const EXAMPLE = join(projectRoot, 'infra/k8s/secrets.example.yaml');

/** Values that the cluster knows only when a pod runs. */
const POD_FIELDS = { 'status.podIP': '10.1.2.3' };

/** The secrets of the example, as `{ secret: { KEY: value } }`, with empty values filled in. */
export function exampleSecrets() {
  const documents = parseAllDocuments(readFileSync(EXAMPLE, 'utf8')).map((document) => document.toJS());
  const filling = (key) => (key.endsWith('_KEYS') ? Buffer.alloc(32).toString('base64') : 'x'.repeat(32));
  const filled = ({ stringData }) =>
    Object.fromEntries(Object.entries(stringData).map(([key, value]) => [key, value || filling(key)]));
  return Object.fromEntries(documents.map((secret) => [secret.metadata.name, filled(secret)]));
}

function entriesFrom({ configMapRef, secretRef }, manifests, secrets) {
  if (secretRef !== undefined) return secrets[secretRef.name];
  const map = ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name === configMapRef.name);
  if (map === undefined) throw new Error(`no ConfigMap ${configMapRef.name}`);
  return map.data;
}

function read({ name, value, valueFrom }, known, secrets) {
  if (value !== undefined) return value.replaceAll(/\$\((\w+)\)/g, (_match, other) => known[other]);
  if (valueFrom.fieldRef !== undefined) return POD_FIELDS[valueFrom.fieldRef.fieldPath];
  const { name: secret, key, optional = false } = valueFrom.secretKeyRef;
  const found = secrets[secret]?.[key];
  if (found === undefined && !optional) throw new Error(`${name}: no ${key} in the secret ${secret}`);
  return found;
}

/** The variables of a container, as the kubelet puts them together: maps and secrets first, then one by one. */
export function podEnvironment(container, manifests, secrets = exampleSecrets()) {
  const variables = {};
  for (const source of container.envFrom ?? []) Object.assign(variables, entriesFrom(source, manifests, secrets));
  for (const entry of container.env ?? []) variables[entry.name] = read(entry, variables, secrets);
  return variables;
}

/** Variables that exist only for substitution: `$(POD_IP)`. */
export function namesOfParts(container) {
  const used = (container.env ?? []).flatMap(({ value = '' }) => [...value.matchAll(/\$\((\w+)\)/g)]);
  return used.map(([, name]) => name);
}
