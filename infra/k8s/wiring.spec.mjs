import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VENDORS } from '@gateway/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { RELAY_PATH } from '../../packages/relay/src/relay-path.ts';
import { configOf } from '../deployed-services.mjs';
import { projectRoot } from '../local/project-paths.mjs';
import { networkOf, selects } from './network.mjs';
import { exampleSecrets, podEnvironment } from './pod-environment.mjs';
import { nameOf, OVERLAYS, ofKind, render } from './render.mjs';
import { routesOf } from './routes.mjs';

/** A public address, and private ones: ours, the provider's, the machine's own. */
const OUTSIDE = '93.184.215.14';
const PRIVATE = ['10.1.2.3', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.20.1.1', '192.168.1.1'];
const STORES = [5432, 6379, 6432];
const HTTPS = 443;
const NAMES = 53;
/** The suffixes of a vendor's variables. */
const CREDENTIALS = ['API_KEY', 'BASE_URL', 'CHANNELS'];

const SHOULD_BE_PUBLIC = [
  { service: 'accounts', path: '/', isExact: false },
  { service: 'api-edge', path: '/', isExact: false },
  { service: 'mcp-server', path: '/mcp', isExact: true },
];

/** The paths of a document, and those without one: the reference itself, and spellings that a service accepts too. */
const documented = (file) =>
  Object.keys(JSON.parse(readFileSync(join(projectRoot, 'docs/openapi', file), 'utf8')).paths);
const REFERENCE = ['/docs', '/docs/reference.md', '/openapi.json', '/llms.txt'];
const CUSTOMERS_PATHS = {
  'api-edge': [...documented('public.json'), ...REFERENCE, '/chat/completions', '/v2/rerank'],
  accounts: [
    ...documented('accounts.json').filter((path) => !path.startsWith('/admin')),
    ...REFERENCE,
    '/',
    '/console/',
  ],
  'mcp-server': ['/mcp'],
};
const PUBLIC_SERVICES = [...new Set(SHOULD_BE_PUBLIC.map(({ service }) => service))];

/** The addresses of ports that customers cannot reach. */
const OPERATORS = /^(BILLING_URL|TEST_SIMULATOR_URL|SIMULATOR_URL)$/;

const containerOf = (workload) => workload.spec.template.spec.containers[0];
const labelsOf = (workload) => workload.spec.template.metadata.labels;
const programOf = (workload) => /([^/]+?)[:@]/.exec(containerOf(workload).image)[1];
const namesOf = (workloads) => workloads.map(({ metadata }) => metadata.name).sort();

/** The cluster-internal addresses of a pod: names without a dot. */
const addressesOf = (environment) =>
  Object.entries(environment)
    .filter(([, value]) => /^(https?|wss?):\/\/[\w-]+(:\d+)?(\/|$)/.test(value))
    .map(([variable, value]) => ({ variable, url: new URL(value) }));

describe.each(OVERLAYS)('the overlay %s', (overlay) => {
  let manifests;
  let deployments;
  let workloads;
  let network;
  beforeAll(async () => {
    manifests = await render(overlay);
    deployments = ofKind(manifests, 'Deployment');
    workloads = [...deployments, ...ofKind(manifests, 'Job')];
    network = networkOf(manifests);
  });

  const pod = (workload) => ({ labels: labelsOf(workload) });
  const environment = (workload) => podEnvironment(containerOf(workload), manifests);
  const config = (deployment) => configOf(programOf(deployment), environment(deployment));
  const behind = ({ spec }) =>
    deployments.find((deployment) => selects({ matchLabels: spec.selector }, labelsOf(deployment)));
  const service = (name) => ofKind(manifests, 'Service').find(({ metadata }) => metadata.name === name);

  it('gives services the addresses of reachable services and their ports', () => {
    let count = 0;
    for (const deployment of deployments) {
      for (const { variable, url } of addressesOf(environment(deployment))) {
        const found = service(url.hostname)?.spec.ports.find(({ port }) => String(port) === url.port);
        expect([variable, url.host, found?.targetPort]).toEqual([
          variable,
          url.host,
          OPERATORS.test(variable) ? 'ops' : 'http',
        ]);
        const target = behind(service(url.hostname));
        expect([
          nameOf(deployment),
          variable,
          network.connects(pod(deployment), pod(target), found.targetPort),
        ]).toEqual([nameOf(deployment), variable, true]);
        count += 1;
      }
    }
    expect(count).toBeGreaterThanOrEqual(4);
  });

  it('has each service listen at the port of its containers', () => {
    for (const { spec, metadata } of ofKind(manifests, 'Service')) {
      for (const { port, targetPort } of spec.ports) {
        const { containerPort } = containerOf(behind({ spec })).ports.find(({ name }) => name === targetPort);
        expect([metadata.name, port]).toEqual([metadata.name, containerPort]);
      }
    }
  });

  it('advertises each edge to workers, and lets only them reach it', () => {
    const edge = deployments.find((deployment) => programOf(deployment) === 'api-edge');
    const { RELAY_ADVERTISED_URL: url, RELAY_PORT: port, POD_IP: address } = environment(edge);
    expect([address, url]).toEqual([expect.stringMatching(/^10\./), `ws://${address}:${port}${RELAY_PATH}`]);
    const answering = deployments.filter((deployment) => network.connects(pod(deployment), pod(edge), 'relay'));
    const workers = deployments.filter(
      (deployment) =>
        programOf(deployment) === 'sync-worker' ||
        (programOf(deployment) === 'video-worker' && config(deployment).stages.includes('submit')),
    );
    expect(namesOf(answering)).toEqual(namesOf(workers));
  });

  it('lets only services with the address of a store reach it, and every service resolve names', () => {
    for (const workload of workloads) {
      const [address] = PRIVATE;
      const given = environment(workload);
      const urls = ['REDIS_URL', 'QUEUE_REDIS_URL', 'DATABASE_URL'].map((name) => given[name]).filter(Boolean);
      const ports = STORES.filter((port) => network.letsOut(pod(workload), { address }, port));
      expect([nameOf(workload), ports]).toEqual([nameOf(workload), urls.length === 0 ? [] : STORES]);
      for (const url of urls) expect(STORES).toContain(Number(/:(\d+)(\/\w*)?$/.exec(url)[1]));
      const nameServer = { namespace: { 'kubernetes.io/metadata.name': 'kube-system' } };
      expect([nameOf(workload), network.letsOut(pod(workload), nameServer, NAMES)]).toEqual([nameOf(workload), true]);
    }
  });

  it('permits outgoing connections only for callers of vendors, customers or results, to public addresses', () => {
    const out = deployments.filter((deployment) => network.letsOut(pod(deployment), { address: OUTSIDE }, HTTPS));
    const callers = deployments.filter((deployment) => {
      const { channels = [], stages = [], results } = config(deployment);
      return channels.length > 0 || stages.includes('notify') || results !== undefined;
    });
    expect(namesOf(out)).toEqual(namesOf(callers));
    for (const workload of workloads) {
      const reached = PRIVATE.filter((address) =>
        [80, HTTPS, 8443].some((port) => network.letsOut(pod(workload), { address }, port)),
      );
      expect([nameOf(workload), reached]).toEqual([nameOf(workload), []]);
    }
  });

  it('separates callers of customers’ addresses from vendors’ keys', () => {
    const notifying = deployments.filter((deployment) => config(deployment).stages?.includes('notify'));
    expect(namesOf(notifying)).toEqual(['video-notifier']);
    for (const deployment of notifying) {
      const keys = Object.keys(environment(deployment)).filter((name) => /_(API_KEY|CHANNELS)$/.test(name));
      expect(keys).toEqual([]);
    }
  });

  it('publishes customer routes only, with time-outs above the longest request', () => {
    const routes = routesOf(manifests);
    expect(new Set(routes.map(({ host }) => host)).size).toBe(PUBLIC_SERVICES.length);
    const shown = routes.flatMap(({ path, isExact, backends }) =>
      backends.map((one) => ({ service: one.service, path, isExact })),
    );
    expect(shown.sort((one, other) => one.service.localeCompare(other.service))).toEqual(SHOULD_BE_PUBLIC);
    for (const { backends, timeoutsMs } of routes) {
      for (const { service: name, port } of backends) {
        const { spec } = service(name);
        expect([name, spec.ports.filter((one) => one.port === port || one.name === port)]).toEqual([
          name,
          [expect.anything()],
        ]);
        const target = behind({ spec });
        expect(network.letsIn({ namespace: { 'gateway-access': 'public' } }, pod(target), 'http')).toBe(true);
        const { syncDeadlineMs = 0, callTimeoutMs = 0 } = config(target);
        expect([name, Math.min(...timeoutsMs) > Math.max(syncDeadlineMs, callTimeoutMs)]).toEqual([name, true]);
      }
    }
    const open = deployments.filter((deployment) =>
      network.letsIn({ namespace: { 'gateway-access': 'public' } }, pod(deployment), 'http'),
    );
    expect(namesOf(open)).toEqual(PUBLIC_SERVICES);
    const operated = deployments.filter((deployment) =>
      network.letsIn({ namespace: { 'gateway-access': 'public' } }, pod(deployment), 'ops'),
    );
    expect(namesOf(operated)).toEqual([]);
  });

  it('lets every documented path reach its service', () => {
    // As controllers match a prefix: by whole segments, so `/v1` is no prefix of `/v1beta`.
    const isRouted = (path, route) =>
      route.isExact ? path === route.path : `${path}/`.startsWith(route.path.replace(/\/?$/, '/'));
    for (const [name, paths] of Object.entries(CUSTOMERS_PATHS)) {
      const routes = routesOf(manifests).filter(({ backends }) => backends.some((one) => one.service === name));
      expect([name, paths.filter((path) => !routes.some((route) => isRouted(path, route)))]).toEqual([name, []]);
    }
  });

  it('configures nginx without buffering, body limits or retries, where it is used', () => {
    for (const { backends, annotation } of routesOf(manifests).filter((route) => route.annotation !== undefined)) {
      const [{ service: name }] = backends;
      if (name === 'accounts') continue;
      const { bodyLimitBytes = Number.POSITIVE_INFINITY } = config(behind(service(name)));
      const mebibytes = Number(/^(\d+)m?$/.exec(annotation('proxy-body-size'))[1]);
      expect([name, mebibytes === 0 || mebibytes * 2 ** 20 >= bodyLimitBytes]).toEqual([name, true]);
      expect([name, annotation('proxy-buffering'), annotation('proxy-next-upstream')]).toEqual([name, 'off', 'off']);
    }
  });

  it('lets accounts alone ask Prometheus for its alerts, where it has the address', () => {
    const prometheus = { namespace: { 'gateway-access': 'monitoring' } };
    const asking = deployments.filter((deployment) => environment(deployment).PROMETHEUS_URL !== undefined);
    const isMonitored = ofKind(manifests, 'PodMonitor').length > 0;
    expect(namesOf(asking)).toEqual(isMonitored ? ['accounts'] : []);
    for (const deployment of asking) expect(network.letsOut(pod(deployment), prometheus, 9090)).toBe(true);
    for (const deployment of deployments.filter((one) => !asking.includes(one))) {
      expect([nameOf(deployment), network.letsOut(pod(deployment), prometheus, 9090)]).toEqual([
        nameOf(deployment),
        false,
      ]);
    }
  });

  it("lets Prometheus find every service's metrics, where it scrapes pods", () => {
    for (const { spec } of ofKind(manifests, 'PodMonitor')) {
      expect(namesOf(workloads.filter((workload) => selects(spec.selector, labelsOf(workload))))).toEqual(
        namesOf(deployments),
      );
      expect(spec.podMetricsEndpoints).toEqual([{ port: 'ops', path: '/metrics', interval: '15s' }]);
    }
    for (const deployment of deployments) {
      const isLetIn = network.letsIn({ namespace: { 'gateway-access': 'monitoring' } }, pod(deployment), 'ops');
      expect([nameOf(deployment), isLetIn]).toEqual([nameOf(deployment), true]);
    }
  });

  it('has a worker for every offered vendor, and workers of single vendors have no other', () => {
    const edge = deployments.find((deployment) => programOf(deployment) === 'api-edge');
    const workers = deployments.filter((deployment) => programOf(deployment) === 'sync-worker');
    const served = workers.flatMap((worker) => config(worker).vendors);
    expect(served.toSorted()).toEqual(config(edge).vendors.toSorted());
    expect(served.filter((vendor) => !VENDORS.includes(vendor))).toEqual([]);
    for (const worker of workers) {
      const { 'gateway/vendor': vendor } = worker.metadata.labels;
      if (vendor !== undefined) expect(config(worker).vendors).toEqual([vendor]);
    }
  });

  it('gives workers of one vendor all its credentials and no others', () => {
    const names = VENDORS.flatMap((vendor) => CREDENTIALS.map((suffix) => `${vendor.toUpperCase()}_${suffix}`));
    const secrets = {
      ...exampleSecrets(),
      'gateway-vendors': Object.fromEntries(names.map((name) => [name, `the ${name}`])),
    };
    for (const worker of deployments) {
      const { 'gateway/vendor': vendor } = worker.metadata.labels;
      if (vendor === undefined) continue;
      const given = podEnvironment(containerOf(worker), manifests, secrets);
      const own = names.filter((name) => name.startsWith(`${vendor.toUpperCase()}_`));
      expect(names.filter((name) => given[name] === `the ${name}`)).toEqual(own);
    }
  });
});
