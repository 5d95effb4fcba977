import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projectRoot } from '../local/project-paths.mjs';
import { run } from '../local/run-command.mjs';
import { nameOf, OVERLAYS, ofKind, render } from './render.mjs';

const STEPS = ['2-billing', '3-workers', '4-edge'];
const folder = mkdtempSync(join(tmpdir(), 'roll-out-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(() => {
  const fake = join(projectRoot, 'infra/k8s/fake-kubectl.mjs');
  writeFileSync(join(folder, 'kubectl'), `#!/bin/sh\nexec '${process.execPath}' '${fake}' "$@"\n`);
  chmodSync(join(folder, 'kubectl'), 0o755);
});

/** The Deployments of an overlay by step. */
function deploymentsOf(manifests) {
  const deployments = ofKind(manifests, 'Deployment');
  const inStep = (step) => deployments.filter(({ metadata }) => metadata.labels['gateway/roll-out'] === step);
  return Object.fromEntries(STEPS.map((step) => [step, inStep(step).map(({ metadata }) => metadata.name)]));
}

let runs = 0;

/** Runs the script with a fake kubectl and returns its result and its calls in order. */
async function rollOut(overlay, answers, ...more) {
  runs += 1;
  const record = join(folder, `record-${runs}.jsonl`);
  writeFileSync(record, '');
  const { NODE_OPTIONS: _ofTheTest, ...shell } = process.env;
  const env = {
    ...shell,
    PATH: `${folder}:${process.env.PATH}`,
    KUBECTL_RECORD: record,
    KUBECTL_ANSWERS: JSON.stringify({ job: ['Complete'], ...answers }),
    POLL_SECONDS: '0',
  };
  const script = join(projectRoot, 'infra/k8s/roll-out.sh');
  const ended = await run('sh', [script, join(projectRoot, 'infra/k8s/overlays', overlay), ...more], { env });
  const calls = readFileSync(record, 'utf8').trim().split('\n');
  return { ...ended, calls: calls.filter((line) => line !== '').map((line) => JSON.parse(line)) };
}

const asDeployment = (name) => `deployment.apps/${name}`;

describe.each(OVERLAYS)('the rollout of the overlay %s', (overlay) => {
  let manifests;
  let deployments;
  beforeAll(async () => {
    manifests = await render(overlay);
    deployments = deploymentsOf(manifests);
  });

  it('applies everything once: independent resources, migrations, billing, workers, edges', async () => {
    const { code, calls } = await rollOut(overlay, { deployments });
    expect(code).toBe(0);
    const applied = calls.filter((call) => call.applied !== undefined).map((call) => call.applied);
    expect(applied.flat().sort()).toEqual(manifests.map(nameOf).sort());
    expect(applied.slice(1)).toEqual([
      ['Job migrations'],
      ...STEPS.map((step) => deployments[step].map((name) => `Deployment ${name}`)),
    ]);
    expect(deployments['2-billing']).toEqual(['billing']);
  });

  it('waits for each step before the next and deletes the old Job first', async () => {
    const { calls } = await rollOut(overlay, { deployments, job: ['', '', 'SuccessCriteriaMet Complete'] });
    const rolled = (step) => [
      { applied: deployments[step].map((name) => `Deployment ${name}`) },
      { got: step },
      ...deployments[step].map((name) => ({ ready: asDeployment(name) })),
    ];
    expect(calls.slice(1)).toEqual([
      { deleted: 'job migrations' },
      { applied: ['Job migrations'] },
      ...Array(3).fill({ got: 'job' }),
      ...STEPS.flatMap(rolled),
    ]);
  });

  it('rolls back in reverse order without the migrations', async () => {
    const { code, calls } = await rollOut(overlay, { deployments }, 'back');
    expect(code).toBe(0);
    expect(calls.filter(({ got }) => got !== undefined)).toEqual([...STEPS].reverse().map((got) => ({ got })));
    expect(calls.flatMap(({ applied = [] }) => applied)).not.toContain('Job migrations');
  });
});

describe('a failed rollout', () => {
  const deployments = {
    '2-billing': ['billing'],
    '3-workers': ['sync-worker', 'video-worker'],
    '4-edge': ['api-edge'],
  };

  it('in the migrations prints their log and changes no service', async () => {
    const { code, output, calls } = await rollOut('small', { deployments, job: ['', 'FailureTarget Failed'] });
    expect(code).toBe(1);
    expect(output).toContain('what job/migrations said');
    expect(output).toContain('stopped at 1-migrations');
    expect(calls.some(({ applied = [] }) => applied.some((name) => name.startsWith('Deployment')))).toBe(false);
  });

  it('in a service prints its log and changes no later service', async () => {
    const failing = asDeployment('sync-worker');
    const { code, output, calls } = await rollOut('small', { deployments, failing });
    expect(code).toBe(1);
    expect(output).toContain(`what ${failing} said`);
    expect(output).toContain(`stopped at 3-workers, ${failing}`);
    expect(calls.at(-1)).toEqual({ logs: failing });
    expect(calls).toContainEqual({ described: failing });
    expect(calls).not.toContainEqual({ got: '4-edge' });
  });

  it('with an unknown overlay or direction makes no call', async () => {
    const unknown = await rollOut('nowhere', { deployments });
    expect([unknown.code === 0, unknown.calls]).toEqual([false, []]);
    const sideways = await rollOut('small', { deployments }, 'sideways');
    expect([sideways.code, sideways.calls]).toEqual([2, []]);
    expect(sideways.output).toContain('not sideways');
  });
});
