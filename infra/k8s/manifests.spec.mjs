import { beforeAll, describe, expect, it } from '@jest/globals';
import { canTrace, configOf, DEPLOYED, reads, secretsOf, unknownVariables } from '../deployed-services.mjs';
import { schemaProblems, unknownFields } from './check-manifests.mjs';
import { exampleSecrets, namesOfParts, podEnvironment } from './pod-environment.mjs';
import { nameOf, OVERLAYS, ofKind, render } from './render.mjs';

/** The time that a process takes to exit after its grace period, with a margin. */
const ROOM_TO_EXIT_MS = 5_000;
/** What the startup probe grants. */
const STARTS_WITHIN_MS = 120_000;

const podOf = ({ spec }) => (spec.jobTemplate?.spec ?? spec).template.spec;
const containerOf = (workload) => podOf(workload).containers[0];
/** By image: one program may be deployed twice, for different work. */
const serviceOf = (workload) => /([^/]+?)[:@]/.exec(containerOf(workload).image)[1];
const matches = (labels, selector) => Object.entries(selector).every(([key, value]) => labels[key] === value);

describe.each(OVERLAYS)('the overlay %s', (overlay) => {
  let manifests;
  let deployments;
  let workloads;
  beforeAll(async () => {
    manifests = await render(overlay);
    deployments = ofKind(manifests, 'Deployment');
    workloads = [...deployments, ...ofKind(manifests, 'Job')];
  });

  it('conforms to the schemas of its kinds without unknown fields', async () => {
    expect(schemaProblems(manifests)).toEqual([]);
    expect(await unknownFields(manifests)).toEqual([]);
  });

  it('deploys every service that is not limited to some overlays', () => {
    expect(new Set(deployments.map(serviceOf))).toEqual(new Set(Object.keys(DEPLOYED)));
    expect(ofKind(manifests, 'Job').map(serviceOf)).toEqual(['migrations']);
  });

  it('gives each pod valid variables and no unknown ones', () => {
    for (const deployment of deployments) {
      const environment = podEnvironment(containerOf(deployment), manifests);
      const parts = namesOfParts(containerOf(deployment));
      const names = Object.keys(environment).filter((name) => !parts.includes(name));
      expect([nameOf(deployment), unknownVariables(serviceOf(deployment), names)]).toEqual([nameOf(deployment), []]);
      expect(configOf(serviceOf(deployment), environment).nodeEnv).toBe('production');
    }
  });

  it('passes the collector to every service with traces', () => {
    for (const deployment of deployments) {
      const environment = podEnvironment(containerOf(deployment), manifests);
      const isAsked = 'OTEL_EXPORTER_OTLP_ENDPOINT' in environment;
      expect([nameOf(deployment), isAsked]).toEqual([nameOf(deployment), canTrace(serviceOf(deployment))]);
    }
  });

  it('configures the trusted proxies of every service behind a load balancer', () => {
    for (const deployment of deployments) {
      const service = serviceOf(deployment);
      const isSet = 'TRUSTED_PROXIES' in podEnvironment(containerOf(deployment), manifests);
      expect([service, isSet]).toEqual([service, reads(service, 'TRUSTED_PROXIES')]);
    }
  });

  it('names each variable of a pod once', () => {
    for (const workload of workloads) {
      const names = (containerOf(workload).env ?? []).map(({ name }) => name);
      expect([nameOf(workload), names.filter((name, at) => names.indexOf(name) !== at)]).toEqual([
        nameOf(workload),
        [],
      ]);
    }
  });

  it('sets every secret of a service explicitly', () => {
    for (const deployment of deployments) {
      const given = podEnvironment(containerOf(deployment), manifests);
      expect([nameOf(deployment), secretsOf(serviceOf(deployment)).filter((name) => !given[name])]).toEqual([
        nameOf(deployment),
        [],
      ]);
    }
  });

  it('runs the image of each service with the configured ports', () => {
    for (const deployment of deployments) {
      const service = serviceOf(deployment);
      const environment = podEnvironment(containerOf(deployment), manifests);
      const ports = Object.entries(DEPLOYED[service].ports).map(([name, variable]) => ({
        name,
        containerPort: Number(environment[variable]),
      }));
      expect(containerOf(deployment).ports).toEqual(ports);
      expect(containerOf(deployment).image).toMatch(new RegExp(`^gateway/${service}[:@]`));
    }
  });

  it('probes each service at its own health endpoint', () => {
    const asks = (path) => expect.objectContaining({ httpGet: { path, port: 'ops' } });
    for (const deployment of deployments) {
      const { startupProbe, livenessProbe, readinessProbe } = containerOf(deployment);
      expect([startupProbe, livenessProbe, readinessProbe]).toEqual([
        asks('/healthz'),
        asks('/healthz'),
        asks('/readyz'),
      ]);
      const windowSeconds = ({ periodSeconds, failureThreshold }) => periodSeconds * failureThreshold;
      // A start may wait a minute for Redis; a pause of the process is no death; a check inside takes up to 2 s.
      expect(windowSeconds(startupProbe)).toBeGreaterThan(90);
      expect(windowSeconds(livenessProbe)).toBeGreaterThanOrEqual(60);
      expect(readinessProbe.timeoutSeconds).toBeGreaterThan(2);
      expect(windowSeconds(readinessProbe)).toBeLessThanOrEqual(15);
    }
  });

  it('lets each pod finish its work: longer than the longest request and its own grace period', () => {
    for (const deployment of deployments) {
      const service = serviceOf(deployment);
      const config = configOf(service, podEnvironment(containerOf(deployment), manifests));
      const preStopMs = (containerOf(deployment).lifecycle?.preStop.sleep.seconds ?? 0) * 1_000;
      const graceMs = podOf(deployment).terminationGracePeriodSeconds * 1_000;
      expect([service, graceMs >= preStopMs + config.shutdownGraceMs + ROOM_TO_EXIT_MS]).toEqual([service, true]);
      if (config.syncDeadlineMs !== undefined) expect(config.shutdownGraceMs).toBeGreaterThan(config.syncDeadlineMs);
      expect(deployment.spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
      // A rollout does not fail while the next pod waits for the room of one that finishes its work.
      expect(deployment.spec.progressDeadlineSeconds * 1_000).toBeGreaterThanOrEqual(graceMs + STARTS_WITHIN_MS);
    }
  });

  it('keeps a stopping pod in service until load balancers have noticed', () => {
    for (const service of ofKind(manifests, 'Service')) {
      const behind = deployments.filter(({ spec }) => matches(spec.template.metadata.labels, service.spec.selector));
      expect(behind).toHaveLength(1);
      expect(containerOf(behind[0]).lifecycle.preStop.sleep.seconds).toBeGreaterThanOrEqual(5);
      const names = containerOf(behind[0]).ports.map(({ name }) => name);
      for (const { targetPort } of service.spec.ports) expect(names).toContain(targetPort);
    }
  });

  it('gives no pod more rights than it needs', () => {
    for (const workload of [...workloads, ...ofKind(manifests, 'CronJob')]) {
      const { automountServiceAccountToken, securityContext, shareProcessNamespace } = podOf(workload);
      expect(automountServiceAccountToken).toBe(false);
      // The pause container is process 1, so that signals reach the service from the start.
      expect(shareProcessNamespace).toBe(true);
      expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(containerOf(workload).securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const { requests, limits } = containerOf(workload).resources;
      expect(limits.memory).toBe(requests.memory);
      expect(limits.memory).toMatch(/^\d{3,}Mi$|^\d+Gi$/);
      expect(requests.cpu).toBeDefined();
    }
  });

  it('gives each deployment an account of its own, so that rights in a cloud are those of one service', () => {
    const accounts = ofKind(manifests, 'ServiceAccount').map(({ metadata }) => metadata.name);
    expect(deployments.map((one) => [nameOf(one), podOf(one).serviceAccountName])).toEqual(
      deployments.map((one) => [nameOf(one), one.metadata.name]),
    );
    expect(accounts.sort()).toEqual(deployments.map(({ metadata }) => metadata.name).sort());
  });

  it('mounts a volume for each path a service writes to', () => {
    for (const deployment of deployments) {
      const environment = podEnvironment(containerOf(deployment), manifests);
      const written = Object.keys(environment).filter((name) => name.endsWith('_DIRECTORY'));
      const mounts = containerOf(deployment).volumeMounts ?? [];
      const mounted = mounts.map(({ mountPath }) => mountPath);
      const volumes = (podOf(deployment).volumes ?? []).map(({ name }) => name);
      expect(mounts.map(({ name }) => name).sort()).toEqual(volumes.sort());
      expect(written.map((name) => environment[name]).sort()).toEqual(mounted.sort());
    }
  });

  it('reserves the disk that the volumes of a pod may fill', () => {
    const mebibytes = (size) => Number.parseInt(size, 10) * (size.endsWith('Gi') ? 1_024 : 1);
    for (const deployment of deployments) {
      const limits = (podOf(deployment).volumes ?? []).map(({ emptyDir }) => mebibytes(emptyDir.sizeLimit));
      const mostMebibytes = limits.reduce((sum, limit) => sum + limit, 0);
      // A spool is empty unless Redis is away.
      if (mostMebibytes <= 64) continue;
      const reserved = mebibytes(containerOf(deployment).resources.requests['ephemeral-storage'] ?? '0');
      expect([nameOf(deployment), reserved > mostMebibytes]).toEqual([nameOf(deployment), true]);
    }
  });

  it('has a disruption budget for each service with several replicas', () => {
    const budgets = ofKind(manifests, 'PodDisruptionBudget');
    for (const deployment of deployments.filter(({ spec }) => spec.replicas !== 1)) {
      const labels = deployment.spec.template.metadata.labels;
      const own = budgets.filter(({ spec }) => matches(labels, spec.selector.matchLabels));
      expect([nameOf(deployment), own.length]).toEqual([nameOf(deployment), 1]);
    }
    const behindOne = budgets.map(({ spec }) =>
      deployments.filter((deployment) => matches(deployment.spec.template.metadata.labels, spec.selector.matchLabels)),
    );
    expect(behindOne.every((found) => found.length === 1)).toBe(true);
    // A node can always be drained, one pod after the other.
    for (const { spec } of budgets)
      expect(spec).toMatchObject({ maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' });
  });

  it('scales existing workloads and leaves the number of replicas to the autoscaler', () => {
    for (const scaler of [...ofKind(manifests, 'ScaledObject'), ...ofKind(manifests, 'HorizontalPodAutoscaler')]) {
      const scaled = deployments.filter(({ metadata }) => metadata.name === scaler.spec.scaleTargetRef.name);
      expect(scaled.map(({ spec }) => spec.replicas ?? 'scaled')).toEqual(['scaled']);
      const least = scaler.spec.minReplicaCount ?? scaler.spec.minReplicas;
      expect(least).toBeGreaterThanOrEqual(2);
      expect(scaler.spec.maxReplicaCount ?? scaler.spec.maxReplicas).toBeGreaterThan(least);
    }
  });

  it('scales down slowly, and never because a metric is missing', () => {
    for (const { kind, spec } of [
      ...ofKind(manifests, 'ScaledObject'),
      ...ofKind(manifests, 'HorizontalPodAutoscaler'),
    ]) {
      const { behavior } = kind === 'ScaledObject' ? spec.advanced.horizontalPodAutoscalerConfig : spec;
      expect(behavior.scaleDown).toMatchObject({ stabilizationWindowSeconds: 600, policies: [{ value: 10 }] });
    }
    for (const { metadata, spec } of ofKind(manifests, 'ScaledObject')) {
      expect(spec.fallback.replicas).toBeGreaterThan(spec.minReplicaCount);
      const strict = spec.triggers.filter(({ metadata: { ignoreNullValues } }) => ignoreNullValues === 'false');
      const harmless = spec.triggers.filter(({ metadata: { query } }) => query.endsWith(' or vector(0)'));
      expect([metadata.name, strict.length > 0, strict.length + harmless.length]).toEqual([
        metadata.name,
        true,
        spec.triggers.length,
      ]);
      // The schema does not cover trigger settings: a misspelt name would mean the scaler's default.
      for (const { type, metadata: settings } of spec.triggers) {
        expect([metadata.name, type, settings]).toEqual([
          metadata.name,
          'prometheus',
          {
            serverAddress: expect.stringMatching(/^http:\/\/[\w.-]+:\d+$/),
            query: expect.any(String),
            threshold: expect.stringMatching(/^\d+(\.\d+)?$/),
            ...(settings.ignoreNullValues !== undefined && { ignoreNullValues: 'false' }),
          },
        ]);
      }
      const [{ metadata: target }] = deployments.filter((one) => one.metadata.name === spec.scaleTargetRef.name);
      const { 'gateway/vendor': vendor } = target.labels;
      const queried = spec.triggers.flatMap(({ metadata: { query } }) => [...query.matchAll(/vendor="(\w+)"/g)]);
      expect([...new Set(queried.map(([, one]) => one))]).toEqual(vendor === undefined ? [] : [vendor]);
      // The fallback requires an average value.
      expect(spec.triggers.every(({ metricType }) => metricType === 'AverageValue')).toBe(true);
    }
  });

  it('spreads the pods of each release over zones and nodes', () => {
    for (const deployment of deployments.filter(({ spec }) => spec.replicas !== 1)) {
      const { labels } = deployment.spec.template.metadata;
      const spread = podOf(deployment).topologySpreadConstraints;
      expect(spread.map(({ topologyKey }) => topologyKey)).toEqual([
        'topology.kubernetes.io/zone',
        'kubernetes.io/hostname',
      ]);
      for (const { labelSelector, matchLabelKeys } of spread) {
        expect(labelSelector.matchLabels).toEqual(deployment.spec.selector.matchLabels);
        expect(matches(labels, labelSelector.matchLabels)).toBe(true);
        expect(matchLabelKeys).toEqual(['pod-template-hash']);
      }
    }
  });

  it('opens only existing ports of existing pods, and the relay to workers only', () => {
    const policies = ofKind(manifests, 'NetworkPolicy');
    const podsOf = (selector) =>
      workloads.filter(({ spec }) => matches(spec.template.metadata.labels, selector.matchLabels ?? {}));
    for (const { metadata, spec } of policies)
      expect([metadata.name, podsOf(spec.podSelector).length > 0]).toEqual([metadata.name, true]);
    const toRelay = policies.filter(({ spec }) =>
      spec.ingress?.some(({ ports }) => ports.some(({ port }) => port === 'relay')),
    );
    const allowed = toRelay.flatMap(({ spec }) =>
      spec.ingress.flatMap(({ from }) => from.flatMap(({ podSelector }) => podsOf(podSelector))),
    );
    expect([...new Set(allowed.map(serviceOf))].every((service) => service.endsWith('-worker'))).toBe(true);
    expect(allowed.length).toBeGreaterThan(0);
    const denied = policies.find(({ metadata }) => metadata.name === 'deny-all');
    expect(denied.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  });

  it("lets the migrations grant rights to the services' roles, which are not the owner", () => {
    const [migrations] = ofKind(manifests, 'Job');
    const given = podEnvironment(containerOf(migrations), manifests);
    const { DATABASE_URL: owner, SERVICES_ROLE: ofServices, ACCOUNTS_ROLE: ofAccounts } = given;
    expect(new Set([new URL(owner).username, ofServices, ofAccounts]).size).toBe(3);
    for (const deployment of deployments) {
      const { DATABASE_URL: url } = podEnvironment(containerOf(deployment), manifests);
      const role = serviceOf(deployment) === 'accounts' ? ofAccounts : ofServices;
      if (url !== undefined) expect([nameOf(deployment), new URL(url).username]).toEqual([nameOf(deployment), role]);
    }
    const withoutRole = structuredClone(exampleSecrets());
    delete withoutRole['gateway-database-direct'].SERVICES_ROLE;
    expect(podEnvironment(containerOf(migrations), manifests, withoutRole)).toMatchObject({ DATABASE_URL: owner });
  });

  it('applies every workload in one step of the rollout', () => {
    for (const workload of workloads) {
      const { labels, annotations } = workload.metadata;
      expect(labels['gateway/roll-out']).toMatch(/^(1-migrations|2-billing|3-workers|4-edge)$/);
      // Argo CD's annotation for the same order; the migrations are a hook before all steps.
      const wave = annotations['argocd.argoproj.io/sync-wave'] ?? '1';
      expect([nameOf(workload), wave]).toEqual([nameOf(workload), labels['gateway/roll-out'][0]]);
    }
  });

  it("reads exactly the example's secrets from the vault, where it uses one", () => {
    const external = ofKind(manifests, 'ExternalSecret');
    if (external.length === 0) return;
    const example = Object.fromEntries(
      Object.entries(exampleSecrets()).map(([name, keys]) => [name, Object.keys(keys)]),
    );
    // All values under one vault key are used: vendors vary, and so do separate queues.
    const keysOf = ({ target, data, dataFrom }) =>
      dataFrom === undefined ? data.map(({ secretKey }) => secretKey) : example[target.name];
    expect(Object.fromEntries(external.map(({ spec }) => [spec.target.name, keysOf(spec)]))).toEqual(example);
    const wholes = external.filter(({ spec }) => spec.dataFrom !== undefined).map(({ spec }) => spec.target.name);
    expect(wholes).toEqual(['gateway-redis', 'gateway-results', 'gateway-vendors']);
  });

  it('keeps the results of vendors where all services have the bucket, and without one nowhere', () => {
    const keeping = (secrets) => (deployment) => {
      const { store, keepsResults } = configOf(
        serviceOf(deployment),
        podEnvironment(containerOf(deployment), manifests, secrets),
      );
      return [nameOf(deployment), keepsResults ?? store !== undefined];
    };
    // The services that name, serve or fetch results. A notifier names none.
    const involved = deployments.filter(
      (deployment) =>
        ['api-edge', 'sync-worker', 'batch-worker'].includes(serviceOf(deployment)) ||
        deployment.metadata.name === 'video-worker',
    );
    const bucket = exampleSecrets();
    const none = { ...bucket, 'gateway-results': {} };
    expect(involved.map(keeping(bucket))).toEqual(involved.map((deployment) => [nameOf(deployment), true]));
    expect(involved.map(keeping(none))).toEqual(involved.map((deployment) => [nameOf(deployment), false]));
  });

  it('uses one Redis by default, and requires the address of separate queues', () => {
    const secrets = exampleSecrets();
    const { QUEUE_REDIS_URL: queueRedisUrl, ...together } = secrets['gateway-redis'];
    const users = deployments.filter((deployment) =>
      containerOf(deployment).env.some(({ name }) => name === 'REDIS_URL'),
    );
    expect(new Set(users.map(serviceOf))).toEqual(
      new Set(['api-edge', 'sync-worker', 'video-worker', 'billing', 'accounts']),
    );
    for (const deployment of users) {
      const read = (given) =>
        configOf(serviceOf(deployment), podEnvironment(containerOf(deployment), manifests, given)).queueRedisUrl;
      expect(read(secrets)).toBe(queueRedisUrl);
      const without = { ...secrets, 'gateway-redis': together };
      if (overlay === 'large') expect(() => read(without)).toThrow('QUEUE_REDIS_URL');
      else expect(read(without)).toBe(together.REDIS_URL);
    }
  });
});

describe('the manifest check', () => {
  it('reports a misspelt field, a missing field and an unknown kind', async () => {
    const [deployment] = ofKind(await render('small'), 'Deployment');
    const misspelt = structuredClone(deployment);
    misspelt.spec.template.spec.containers[0].livenesProbe = {};
    expect(await unknownFields([misspelt])).toEqual([expect.stringContaining('livenesProbe')]);
    const incomplete = structuredClone(deployment);
    delete incomplete.spec.selector;
    expect(schemaProblems([incomplete, { kind: 'Gizmo', metadata: { name: 'g' } }])).toEqual([
      expect.stringContaining('selector'),
      'Gizmo g: no schema for this kind',
    ]);
  });
});
