import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CHANNEL_STATES, ERRORS, TICKET_QUEUE_KINDS, VENDORS, VIDEO_TASK_STATUSES } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { prometheusRule } from '../alerts/as-prometheus-rule.mjs';
import { DEPLOYED } from '../deployed-services.mjs';
import { schemaProblems, unknownFields } from '../k8s/check-manifests.mjs';
import { OVERLAYS, ofKind, render } from '../k8s/render.mjs';
import { projectRoot } from '../local/project-paths.mjs';
import { ALERT_TESTS } from '../local/test-stages.mjs';
import { declaredMetrics } from './declared-metrics.mjs';
import { dashboards, expressions, readExpression, ruleFiles, rules } from './expressions.mjs';

/** Metrics and labels that Prometheus adds to each target. */
const OF_PROMETHEUS = [['up', new Set(['instance', 'job'])]];

/** Metrics of kube-state-metrics that alerts use. */
const OF_KUBERNETES = ['kube_cronjob_status_last_successful_time', 'kube_cronjob_created'].map((metric) => [
  metric,
  new Set(['namespace', 'cronjob']),
]);

const recorded = rules()
  .filter(({ record }) => record !== undefined)
  .map(({ record }) => [record, new Set()]);
const known = new Map([...declaredMetrics(), ...recorded, ...OF_PROMETHEUS, ...OF_KUBERNETES]);

/** The values of a label, where they are a fixed set. */
const VALUES = {
  code: Object.keys(ERRORS),
  kind: TICKET_QUEUE_KINDS,
  place: ['door', 'head', 'stream', 'memory', 'disk'],
  service: Object.keys(DEPLOYED),
  state: ['submitting', 'submit_unknown', ...VIDEO_TASK_STATUSES, ...CHANNEL_STATES],
  vendor: VENDORS,
};

/** The errors of an expression; empty if every series and label exists. */
function problemsOf(expr) {
  const { isValid, selectors, groupedBy } = readExpression(expr);
  if (!isValid) return ['is not PromQL'];
  if (selectors.length === 0) return ['asks for no metric'];
  const problems = [];
  for (const { metric, matchers } of selectors) {
    const labels = known.get(metric);
    if (labels === undefined) problems.push(`no service exports ${metric}`);
    for (const { label, value } of matchers) {
      if (labels !== undefined && !labels.has(label)) problems.push(`${metric} has no label ${label}`);
      const strange = value.split('|').filter((one) => VALUES[label]?.includes(one) === false);
      problems.push(...strange.map((one) => `there is no ${label} ${one}`));
    }
  }
  const labels = new Set(selectors.flatMap(({ metric }) => [...(known.get(metric) ?? [])]));
  problems.push(...groupedBy.filter((label) => !labels.has(label)).map((label) => `nothing here has a label ${label}`));
  return problems;
}

describe('expressions of dashboards and alerts', () => {
  it.each(expressions())('$place: uses exported series and labels', ({ expr }) => {
    expect(problemsOf(expr)).toEqual([]);
  });

  it('are rejected with an unknown metric or label', () => {
    expect(problemsOf('sum(rate(gateway_answer_seconds_count[5m])')).toEqual(['is not PromQL']);
    expect(problemsOf('gateway_answers_total')).toEqual(['no service exports gateway_answers_total']);
    expect(problemsOf('sum by (city) (gateway_queue_active_jobs{colour="red"})')).toEqual([
      'gateway_queue_active_jobs has no label colour',
      'nothing here has a label city',
    ]);
    expect(problemsOf('gateway_errors_total{code=~"internal_error|bad_luck"}')).toEqual(['there is no code bad_luck']);
  });
});

describe('metrics of the autoscaler', () => {
  it.each(OVERLAYS)('in the overlay %s: are exported', async (overlay) => {
    const queries = ofKind(await render(overlay), 'ScaledObject').flatMap(({ spec }) =>
      spec.triggers.map(({ metadata }) => metadata.query),
    );
    expect(queries.flatMap(problemsOf)).toEqual([]);
  });
});

describe('each alert', () => {
  const alerts = rules().filter(({ alert }) => alert !== undefined);

  it.each(alerts)('$alert: has a severity and a runbook page', ({ alert, labels, annotations }) => {
    expect(['page', 'ticket']).toContain(labels.severity);
    const page = readFileSync(join(projectRoot, annotations.runbook_url), 'utf8');
    expect(page).toMatch(new RegExp(`^# ${alert}$`, 'm'));
    for (const question of ['What it means', 'Impact', 'Check', 'Fix']) expect(page).toContain(`\n## ${question}\n`);
  });

  it.each(alerts)('$alert: uses only labels that its expression keeps', ({ expr, annotations }) => {
    const named = [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label);
    const { groupedBy, selectors } = readExpression(expr);
    const isWhole = selectors.length === 1 && selectors[0].metric === expr.split(/[{ ]/)[0];
    const kept = isWhole ? [...known.get(selectors[0].metric)] : groupedBy;
    expect(named.filter((label) => !kept.includes(label))).toEqual([]);
  });

  it('fires in a test whose series are exported', () => {
    const tested = ALERT_TESTS.map((file) => parse(readFileSync(join(projectRoot, file), 'utf8')));
    for (const { rule_files: files } of tested)
      expect(files.toSorted()).toEqual(ruleFiles().map((file) => `../${basename(file)}`));
    const tests = tested.flatMap((file) => file.tests);
    const expectations = tests.flatMap(({ alert_rule_test: checks }) => checks);
    const fired = expectations
      .filter(({ exp_alerts: expected }) => expected.length > 0)
      .map(({ alertname }) => alertname);
    expect([...new Set(fired)].sort()).toEqual(alerts.map(({ alert }) => alert).sort());
    const series = tests.flatMap(({ input_series: given }) => given.map((one) => one.series));
    expect(series.flatMap(problemsOf)).toEqual([]);
  });

  it('has a unique name and is the same for the Prometheus operator as for Prometheus', async () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
    const manifest = prometheusRule();
    expect(schemaProblems([manifest])).toEqual([]);
    expect(await unknownFields([manifest])).toEqual([]);
    expect(manifest.spec.groups.flatMap((group) => group.rules)).toEqual(rules());
  });
});

/** Node's own, which the runtime's client library registers. */
const OF_THE_RUNTIME = /^(?:nodejs|process)_/;
/** What a histogram exports; one of them is enough. */
const PART_OF_HISTOGRAM = /_(?:bucket|sum|count)$/;

it('each metric of a service is on a dashboard, or in an alert', () => {
  const shown = expressions().flatMap(({ expr }) => readExpression(expr).selectors.map(({ metric }) => metric));
  const nameOf = (metric) => metric.replace(PART_OF_HISTOGRAM, '');
  const names = new Set(shown.map(nameOf));
  const hidden = [...declaredMetrics()].map(([metric]) => nameOf(metric)).filter((name) => !names.has(name));
  expect([...new Set(hidden)].filter((name) => !OF_THE_RUNTIME.test(name))).toEqual([]);
});

describe('dashboards', () => {
  it('use only labels in a legend that the expression keeps', () => {
    const targets = dashboards().flatMap(({ panels }) => panels.flatMap((panel) => panel.targets));
    const lost = targets.flatMap(({ expr, legendFormat }) => {
      const { groupedBy } = readExpression(expr);
      const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label);
      return named.filter((label) => !groupedBy.includes(label)).map((label) => `${expr} keeps no ${label}`);
    });
    expect(lost).toEqual([]);
  });

  it('have unique addresses and panels, and the provisioned data source', () => {
    const uids = dashboards().map(({ uid }) => uid);
    expect(new Set(uids).size).toBe(uids.length);
    for (const { panels } of dashboards()) {
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
      expect(panels.every(({ datasource }) => datasource.uid === 'prometheus')).toBe(true);
      expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
    }
  });
});
