import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob, resolve } from 'node:path';
import { DockerfileParser } from 'dockerfile-ast';
import { projectRoot } from '../local/project-paths.mjs';
import { run, tail } from '../local/run-command.mjs';

const SHOWN_LINES = 40;
export const DOCKERFILE = join(projectRoot, 'infra/docker/Dockerfile');

/** The files that the builder receives: the repository without the matches of .dockerignore. */
async function contextFiles() {
  const { output } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: projectRoot });
  const rules = readFileSync(join(projectRoot, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ glob: line.replace(/^!/, ''), ignores: !line.startsWith('!') }));
  // The last rule that matches decides.
  const isIgnored = (file) =>
    rules.findLast(({ glob }) => matchesGlob(file, glob) || matchesGlob(file, `${glob}/**`))?.ignores === true;
  return output.split('\n').filter((file) => file !== '' && !isIgnored(file));
}

/** The assignments of an ARG or ENV without quotes. */
const assignments = (text) =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)(?:=("[^"]*"|\S*))?/g)].map(([, name, value]) => [name, value?.replaceAll('"', '')]),
  );

const words = (text) => text.split(/\s+/);

/** One build stage. Stages with the same base share a folder as their file system, since no step undoes another's. */
class Stage {
  folder = '/';
  env = {};
  command = [];

  constructor(root, parent) {
    this.root = parent?.root ?? root;
    if (parent !== undefined) Object.assign(this, { folder: parent.folder, env: { ...parent.env } });
  }

  at(path) {
    return join(this.root, resolve(this.folder, path));
  }
}

const STEPS = {
  ARG: (stage, { text, given }) => {
    for (const [name, value] of Object.entries(assignments(text))) stage.env[name] = given[name] ?? value ?? '';
  },
  ENV: (stage, { text }) => Object.assign(stage.env, assignments(text)),
  WORKDIR: (stage, { text }) => {
    stage.folder = resolve(stage.folder, text);
    mkdirSync(stage.at('.'), { recursive: true });
  },
  CMD: (stage, { text }) => {
    stage.command = JSON.parse(text);
  },
  COPY: async (stage, { text, flags, stages }) => {
    const [source, target] = words(text);
    const options = { recursive: true, verbatimSymlinks: true };
    if (flags.from !== undefined) return cpSync(join(stages.get(flags.from).root, source), stage.at(target), options);
    const files = source === '.' ? await contextFiles() : [source];
    for (const file of files) {
      const place = source === '.' ? stage.at(file) : join(stage.at(target), file.split('/').at(-1));
      mkdirSync(dirname(place), { recursive: true });
      cpSync(join(projectRoot, file), place, options);
    }
  },
  RUN: async (stage, { text, note }) => {
    note(text);
    // The shell's registry settings apply; a surrounding jest has its own Node options, which do not.
    const { NODE_OPTIONS: _ofTheCaller, ...shell } = process.env;
    const env = {
      ...shell,
      PATH: `${join(stage.root, 'usr/local/bin')}:${dirname(process.execPath)}:${process.env.PATH}`,
      CI: 'true',
      npm_config_prefix: join(stage.root, 'usr/local'),
      ...stage.env,
    };
    const { code, output } = await run('sh', ['-ec', text], { cwd: stage.at('.'), env });
    if (code !== 0) throw new Error(`${text}\n${tail(output, SHOWN_LINES)}`);
  },
};

/**
 * Runs the steps of the Dockerfile without Docker: each stage's file system is a folder below `folder`. Returns the
 * stage `target`: its `root`, `folder`, `env` and `command`. The base image is not covered: the running Node replaces
 * it.
 */
export async function rehearse({ app, target, folder, note = () => {} }) {
  const stages = new Map();
  let stage = new Stage(folder);
  for (const instruction of DockerfileParser.parse(readFileSync(DOCKERFILE, 'utf8')).getInstructions()) {
    const keyword = instruction.getKeyword();
    const text = instruction.getArgumentsContent() ?? '';
    if (keyword === 'FROM') {
      if (stages.has(target)) break;
      const [parent, , name] = words(text);
      stage = new Stage(join(folder, name), stages.get(parent));
      mkdirSync(stage.root, { recursive: true });
      stages.set(name, stage);
      continue;
    }
    const flags = Object.fromEntries((instruction.getFlags?.() ?? []).map((flag) => [flag.getName(), flag.getValue()]));
    await STEPS[keyword]?.(stage, { text, flags, stages, note, given: { APP: app } });
  }
  return stages.get(target);
}
