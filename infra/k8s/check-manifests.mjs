import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExternalSecret } from '@kubernetes-models/external-secrets/external-secrets.io/v1';
import { HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { PodMonitor, PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { CronJob, Job } from 'kubernetes-models/batch/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { PriorityClass } from 'kubernetes-models/scheduling.k8s.io/v1';
import { ConfigMap, Namespace, Secret, Service, ServiceAccount } from 'kubernetes-models/v1';
import { localFolder, projectRoot } from '../local/project-paths.mjs';
import { run } from '../local/run-command.mjs';
import { nameOf } from './render.mjs';

const CORE = 'kubernetes-models';
const OPERATORS = '@kubernetes-models';

/** Every deployed kind with the source of its schema. */
const KINDS = {
  ConfigMap: [ConfigMap, `${CORE}/v1`],
  CronJob: [CronJob, `${CORE}/batch/v1`],
  Deployment: [Deployment, `${CORE}/apps/v1`],
  ExternalSecret: [ExternalSecret, `${OPERATORS}/external-secrets/external-secrets.io/v1`],
  HTTPRoute: [HTTPRoute, `${OPERATORS}/gateway-api/gateway.networking.k8s.io/v1`],
  HorizontalPodAutoscaler: [HorizontalPodAutoscaler, `${CORE}/autoscaling/v2`],
  Ingress: [Ingress, `${CORE}/networking.k8s.io/v1`],
  Job: [Job, `${CORE}/batch/v1`],
  Namespace: [Namespace, `${CORE}/v1`],
  NetworkPolicy: [NetworkPolicy, `${CORE}/networking.k8s.io/v1`],
  PodDisruptionBudget: [PodDisruptionBudget, `${CORE}/policy/v1`],
  PodMonitor: [PodMonitor, `${OPERATORS}/prometheus-operator/monitoring.coreos.com/v1`],
  PriorityClass: [PriorityClass, `${CORE}/scheduling.k8s.io/v1`],
  PrometheusRule: [PrometheusRule, `${OPERATORS}/prometheus-operator/monitoring.coreos.com/v1`],
  ScaledObject: [ScaledObject, `${OPERATORS}/keda/keda.sh/v1alpha1`],
  Secret: [Secret, `${CORE}/v1`],
  Service: [Service, `${CORE}/v1`],
  ServiceAccount: [ServiceAccount, `${CORE}/v1`],
};

/** The schema errors of a manifest. Unknown fields pass here: see `unknownFields`. */
function schemaProblem(manifest) {
  const [Model] = KINDS[manifest.kind] ?? [];
  if (Model === undefined) return `${nameOf(manifest)}: no schema for this kind`;
  if (manifest.apiVersion !== Model.apiVersion) return `${nameOf(manifest)}: ${Model.apiVersion} is meant`;
  try {
    new Model(manifest).validate();
    return undefined;
  } catch (error) {
    return `${nameOf(manifest)}: ${error.message}`;
  }
}

export const schemaProblems = (manifests) => manifests.map(schemaProblem).filter((problem) => problem !== undefined);

/** Unknown fields, for instance misspelt ones, which a cluster only warns about: the compiler finds them. */
export async function unknownFields(manifests) {
  mkdirSync(localFolder, { recursive: true });
  const folder = mkdtempSync(join(localFolder, 'manifests-'));
  try {
    const lines = manifests.map((manifest, index) => {
      const [Model, home] = KINDS[manifest.kind];
      return `export const m${index}: import('${home}').I${Model.kind} = ${JSON.stringify(manifest)};`;
    });
    writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'));
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--pretty', 'false'];
    const { code, output } = await run(
      process.execPath,
      [join(projectRoot, 'node_modules/typescript/bin/tsc'), ...options, '--module', 'nodenext', 'manifests.ts'],
      { cwd: folder },
    );
    return code === 0 ? [] : output.trim().split('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
