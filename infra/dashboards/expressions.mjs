import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { projectRoot } from '../local/project-paths.mjs';

const filesIn = (folder, ending) =>
  readdirSync(join(projectRoot, folder))
    .filter((file) => file.endsWith(ending))
    .map((file) => join(projectRoot, folder, file));

export const dashboards = () =>
  filesIn('infra/dashboards', '.json').map((file) => JSON.parse(readFileSync(file, 'utf8')));

export const ruleFiles = () => filesIn('infra/alerts', '.yaml');

/** Alerts and the recording rules that they use. */
export const rules = () =>
  ruleFiles().flatMap((file) => parse(readFileSync(file, 'utf8')).groups.flatMap((group) => group.rules));

/** Every expression of dashboards and alerts, with its location. */
export function expressions() {
  const queried = dashboards().flatMap(({ title, panels }) =>
    panels.flatMap((panel) => panel.targets.map(({ expr }) => ({ place: `${title} / ${panel.title}`, expr }))),
  );
  return [...queried, ...rules().map(({ alert, record, expr }) => ({ place: alert ?? record, expr }))];
}

const namesBelow = (node, kind, text) => node.getChildren(kind).map(({ from, to }) => text.slice(from, to));

/** The metric of a selector and its label matchers. */
function readSelector(node, expr) {
  const [metric] = namesBelow(node, 'Identifier', expr);
  const matchers = (node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []).map((matcher) => {
    const [label] = namesBelow(matcher, 'LabelName', expr);
    const [value] = namesBelow(matcher, 'StringLiteral', expr);
    return { label, value: value.slice(1, -1) };
  });
  return { metric, matchers };
}

/** What an expression uses: its metrics with their matchers, and the labels that it groups or joins by. */
export function readExpression(expr) {
  const selectors = [];
  const groupedBy = [];
  let isValid = true;
  parser.parse(expr).iterate({
    enter({ node, type }) {
      if (type.isError) isValid = false;
      if (type.name === 'VectorSelector') selectors.push(readSelector(node, expr));
      if (type.name === 'GroupingLabels') groupedBy.push(...namesBelow(node, 'LabelName', expr));
    },
  });
  return { isValid, selectors, groupedBy };
}
