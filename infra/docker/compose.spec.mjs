import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VENDORS } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { DCLinter } from 'dclint';
import { parse } from 'yaml';
import { RELAY_PATH } from '../../packages/relay/src/relay-path.ts';
import { dashboards, ruleFiles } from '../dashboards/expressions.mjs';
import { canTrace, configOf, DEPLOYED, reads, secretsOf, unknownVariables } from '../deployed-services.mjs';
import { projectRoot } from '../local/project-paths.mjs';
import { memoryVariables, SERVICES } from '../local/services.mjs';

const FILE = join(projectRoot, 'docker-compose.yml');
const read = (file) => readFileSync(join(projectRoot, file), 'utf8');

/** A complete `.env`: every secret, and the key of one vendor. */
const env = Object.fromEntries(
  read('.env.example')
    .split('\n')
    .filter((line) => /^\w+=/.test(line))
    .map((line) => line.split('='))
    .map(([name, value]) => [
      name,
      value || (/_(API_KEY|ENDPOINT|HEADERS|URL|PROXIES)$/.test(name) ? '' : 'x'.repeat(64)),
    ]),
);
Object.assign(env, {
  OPENAI_API_KEY: 'sk-vendor',
  DASHSCOPE_API_KEY: 'sk-vendor',
  WEBHOOK_SECRET_KEYS: Buffer.alloc(32).toString('base64'),
  CONTENT_KEYS: Buffer.alloc(32).toString('base64'),
});

const missing = [];

/** Substitutes the variables of .env in every text of the file, as docker compose does. */
function interpolate(value) {
  if (typeof value === 'string') {
    return value.replaceAll(/\$\{(\w+)(?:(:?)[-?]([^}]*))?\}/g, (_match, name, colon, fallback) => {
      if (env[name] === undefined) missing.push(name);
      // Without the colon an empty value stays empty.
      return colon === '' ? (env[name] ?? fallback) : env[name] || fallback;
    });
  }
  if (Array.isArray(value)) return value.map(interpolate);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, interpolate(inner)]));
}

const { services, volumes } = interpolate(parse(read('docker-compose.yml'), { merge: true }));
const ours = Object.entries(services).filter(([name]) => name in DEPLOYED);

/** The MiB of a size such as `512m` or `2g`. */
const mebibytes = (size) => Number.parseInt(size, 10) * (size.endsWith('g') ? 1_024 : 1);

describe('docker-compose.yml', () => {
  it('conforms to the specification of compose files', () => {
    const [{ messages }] = new DCLinter({ rules: {}, quiet: false }).lintFiles([FILE], false);
    expect(messages.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('uses no variable of .env that .env.example lacks', () => {
    expect(missing).toEqual([]);
  });

  it('runs every service with its own image and valid variables', () => {
    expect(ours.map(([name]) => name).sort()).toEqual(Object.keys(DEPLOYED).sort());
    for (const [name, { image, build, environment }] of ours) {
      expect({ image, app: build.args.APP }).toEqual({ image: `gateway/${name}`, app: name });
      expect([name, unknownVariables(name, Object.keys(environment))]).toEqual([name, []]);
      expect([name, secretsOf(name).filter((secret) => !environment[secret])]).toEqual([name, []]);
      expect(configOf(name, environment).nodeEnv).toBe('production');
    }
  });

  it('names each third-party image by tag and digest', () => {
    const others = Object.entries(services).filter(([, { build }]) => build === undefined);
    expect(others.map(([name]) => name).sort()).toEqual(['grafana', 'postgres', 'prometheus', 'redis']);
    for (const [, { image }] of others) expect(image).toMatch(/^[a-z/]+:v?[\d.]+(-[a-z]+)?@sha256:[0-9a-f]{64}$/);
  });

  it('passes the collector to every service with traces', () => {
    for (const [name, { environment }] of ours) {
      expect([name, 'OTEL_EXPORTER_OTLP_ENDPOINT' in environment]).toEqual([name, canTrace(name)]);
    }
  });

  it('passes the trusted proxies to every service behind a proxy', () => {
    for (const [name, { environment }] of ours) {
      expect([name, 'TRUSTED_PROXIES' in environment]).toEqual([name, reads(name, 'TRUSTED_PROXIES')]);
    }
  });

  it('limits the memory and the log size of each container', () => {
    for (const [name, { mem_limit: limit, logging }] of Object.entries(services)) {
      expect([name, limit]).toEqual([name, expect.stringMatching(/^\d+[mg]$/)]);
      expect([name, logging]).toEqual([name, { driver: 'local' }]);
    }
  });

  it('gives Redis room for the copy that rewrites its file', () => {
    const { command, mem_limit: limit } = services.redis;
    const maxMemory = command[command.indexOf('--maxmemory') + 1];
    expect(mebibytes(limit)).toBeGreaterThanOrEqual(2 * mebibytes(maxMemory.replace(/b$/, '')));
  });

  it('gives a service on a developer’s machine the memory of its container', () => {
    const dockerfile = read('infra/docker/Dockerfile');
    const [, young] = /^ARG YOUNG_MIB=(\d+)$/m.exec(dockerfile);
    const malloc = Object.fromEntries(
      [...dockerfile.matchAll(/\b(MALLOC_\w+)=(\d+)/g)].map(([, name, value]) => [name, value]),
    );
    // Tests drive the simulator harder than an operator's trial does.
    for (const [name, { mem_limit: limit, build }] of ours.filter(([name]) => name !== 'upstream-simulator')) {
      expect([name, SERVICES[name].heapMiB]).toEqual([name, mebibytes(limit) * 0.75]);
      const { YOUNG_MIB = young } = build.args;
      const NODE_OPTIONS = `--max-semi-space-size=${YOUNG_MIB} --max-old-space-size=${SERVICES[name].heapMiB}`;
      expect(memoryVariables(name)).toEqual({ NODE_OPTIONS, ...malloc });
    }
  });

  it('stops no service before its grace period ends', () => {
    const secondsOf = (text) => {
      const [, minutes = 0, seconds = 0] = /^(?:(\d+)m)?(?:(\d+)s)?$/.exec(text);
      return Number(minutes) * 60 + Number(seconds);
    };
    for (const [name, { environment, stop_grace_period: period }] of ours) {
      const graceMs = configOf(name, environment).shutdownGraceMs;
      expect([name, secondsOf(period) * 1_000 >= graceMs + 5_000]).toEqual([name, true]);
    }
  });

  it('waits for the dependencies that a service needs at its start', () => {
    for (const [name, { environment, depends_on: needed = {} }] of ours) {
      if (environment.REDIS_URL !== undefined)
        expect([name, needed.redis?.condition]).toEqual([name, 'service_healthy']);
      if (environment.DATABASE_URL === undefined) continue;
      expect([name, needed.migrations?.condition]).toEqual([name, 'service_completed_successfully']);
    }
    expect(services.redis.command.join(' ')).toMatch(
      /--appendonly yes .*--maxmemory 1gb --maxmemory-policy noeviction/,
    );
  });

  it('gives a service a volume for each path it writes to, on a read-only file system', () => {
    for (const [name, service] of ours) {
      const { environment, tmpfs = [], volumes: mounted = [] } = service;
      const places = [...tmpfs.map((text) => text.split(':')[0]), ...mounted.map((text) => text.split(':')[1])];
      const written = Object.entries(environment).filter(([variable]) => variable.endsWith('_DIRECTORY'));
      expect([name, written.map(([, place]) => place).sort()]).toEqual([name, places.sort()]);
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    }
  });

  it('gives services the addresses of existing services and their ports', () => {
    const ports = Object.fromEntries(
      ours.map(([name, { environment }]) => [name, [environment.PORT, environment.RELAY_PORT, environment.OPS_PORT]]),
    );
    // Customers reach the machine itself.
    const published = ours.flatMap(([, service]) => (service.ports ?? []).map((port) => port.split(':').at(-2)));
    const listening = { ...ports, redis: ['6379'], postgres: ['5432'], localhost: published };
    const urls = ours.flatMap(([name, { environment }]) =>
      Object.entries(environment)
        .filter(([, value]) => URL.canParse(value))
        .map(([variable, value]) => ({ name, variable, url: new URL(value) })),
    );
    expect(urls.length).toBeGreaterThan(10);
    for (const { name, variable, url } of urls) {
      const isListening = listening[url.hostname]?.includes(url.port) ?? false;
      expect([name, variable, url.host, isListening]).toEqual([name, variable, url.host, true]);
    }
    const edge = services['api-edge'].environment;
    expect(edge.RELAY_ADVERTISED_URL).toBe(`ws://api-edge:${edge.RELAY_PORT}${RELAY_PATH}`);
    const needed = Object.values(services).flatMap(({ depends_on: names = {} }) => Object.keys(names));
    expect(needed.filter((name) => services[name] === undefined)).toEqual([]);
  });

  it('exposes no port to other machines except through the proxy', () => {
    const ports = Object.values(services).flatMap(({ ports: published = [] }) => published);
    expect(ports.filter((text) => !/^127\.0\.0\.1:(\d+):\1$/.test(text))).toEqual([]);
  });

  it('restarts every service except the migrations, which run once', () => {
    for (const [name, { restart }] of Object.entries(services))
      expect([name, restart]).toEqual([name, name === 'migrations' ? 'no' : 'unless-stopped']);
  });

  it('gives each worker the key of every vendor it may serve', () => {
    const keysOf = (name) =>
      Object.keys(services[name].environment).filter((variable) => variable.endsWith('_API_KEY'));
    expect(keysOf('sync-worker')).toEqual(VENDORS.map((vendor) => `${vendor.toUpperCase()}_API_KEY`));
    const { vendors } = configOf('video-worker', {
      ...services['video-worker'].environment,
      VENDORS: '',
      STAGES: 'notify',
    });
    expect(keysOf('video-worker')).toEqual(vendors.map((vendor) => `${vendor.toUpperCase()}_API_KEY`));
  });

  it('lets Prometheus scrape every service and load the alerts', () => {
    const { scrape_configs: scraped, rule_files: rules } = parse(read('infra/docker/prometheus/prometheus.yml'));
    const targets = scraped.flatMap(({ static_configs: configs }) => configs.flatMap((one) => one.targets));
    const measured = ours.filter(([name]) => name !== 'upstream-simulator');
    expect(targets.toSorted()).toEqual(
      measured.map(([name, { environment }]) => `${name}:${environment.OPS_PORT ?? environment.PORT}`).sort(),
    );
    const mounted = services.prometheus.volumes.map((text) => text.split(':'));
    expect(mounted).toContainEqual([
      './infra/docker/prometheus/prometheus.yml',
      '/etc/prometheus/prometheus.yml',
      'ro',
    ]);
    const [, alerts] = mounted.find(([from]) => from === './infra/alerts');
    expect(rules).toEqual([`${alerts}/*.yaml`]);
    expect(ruleFiles().length).toBeGreaterThan(0);
  });

  it('lets Grafana load the mounted dashboards and query that Prometheus', () => {
    const mounted = Object.fromEntries(services.grafana.volumes.map((text) => text.split(':')));
    expect(mounted['./infra/docker/grafana']).toBe('/etc/grafana/provisioning');
    const { providers } = parse(read('infra/docker/grafana/dashboards/gateway.yml'));
    expect(providers.map(({ options }) => options.path)).toEqual([mounted['./infra/dashboards']]);
    const { datasources } = parse(read('infra/docker/grafana/datasources/prometheus.yml'));
    const uids = dashboards().flatMap(({ panels }) => panels.map(({ datasource }) => datasource.uid));
    expect(datasources.map(({ uid, url }) => [uid, url])).toEqual([[...new Set(uids), 'http://prometheus:9090']]);
  });

  it('names every volume that is mounted', () => {
    const used = Object.values(services).flatMap(({ volumes: mounted = [] }) =>
      mounted.map((text) => text.split(':')[0]),
    );
    // Edge and worker share the results.
    expect([...new Set(used)].filter((name) => !name.startsWith('.')).sort()).toEqual(Object.keys(volumes).sort());
  });
});
