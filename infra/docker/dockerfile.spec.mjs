import { globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { projectRoot, requiredNodeMajor } from '../local/project-paths.mjs';
import { DOCKERFILE } from './rehearse.mjs';

const text = readFileSync(DOCKERFILE, 'utf8');
const instructions = DockerfileParser.parse(text).getInstructions();
const argumentsOf = (keyword) =>
  instructions.filter((one) => one.getKeyword() === keyword).map((one) => one.getArgumentsContent());

describe('the Dockerfile', () => {
  it('passes the linter', () => {
    expect(validate(text)).toEqual([]);
    expect(validate('FROM node\nCOPPY . .')).not.toEqual([]);
  });

  it('builds with the tools of this repository', () => {
    const { packageManager } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
    const [, turbo] = /^ {2}turbo: (.+)$/m.exec(readFileSync(join(projectRoot, 'pnpm-workspace.yaml'), 'utf8'));
    expect(argumentsOf('RUN')[0]).toBe(`npm install --global turbo@${turbo} ${packageManager}`);
    expect(argumentsOf('ARG')[0]).toMatch(
      new RegExp(`^NODE_IMAGE=node:${requiredNodeMajor}\\.\\d+\\.\\d+-bookworm-slim@sha256:[0-9a-f]{64}$`),
    );
  });

  it('runs without privileges and starts a process that handles signals', () => {
    expect(argumentsOf('USER')).toEqual(['1000:1000']);
    for (const command of argumentsOf('CMD')) {
      expect(JSON.parse(command)).toEqual([
        'node',
        '--import',
        './handle-signals.mjs',
        expect.stringMatching(/^dist\//),
      ]);
    }
  });

  it('ships no development files and sizes the heap by the container’s memory', () => {
    const [image] = argumentsOf('ENV');
    expect(image).toMatch(/^NODE_ENV=production NODE_OPTIONS="[^"]*--max-old-space-size-percentage=75"$/);
    expect(argumentsOf('RUN').filter((text) => text.includes(' deploy '))).toEqual([
      expect.stringMatching(/^pnpm --offline .* deploy --prod /),
    ]);
    const steps = argumentsOf('RUN');
    const [built, bared, deployed] = [' run build', ' -name src ', ' deploy '].map((word) =>
      steps.findIndex((text) => text.includes(word)),
    );
    expect([built < bared, bared < deployed]).toEqual([true, true]);
    expect(argumentsOf('HEALTHCHECK')).toEqual([expect.stringContaining('CMD ["node", "is-ready.mjs"]')]);
  });

  it('copies the Lua scripts of packages/redis', () => {
    const scripts = globSync('packages/redis/scripts/**/*.lua', { cwd: projectRoot });
    expect(scripts.length).toBeGreaterThan(0);
    const ignored = readFileSync(join(projectRoot, '.dockerignore'), 'utf8').split('\n').filter(Boolean);
    const isIgnored = (file) => ignored.some((glob) => matchesGlob(file, glob) || matchesGlob(file, `${glob}/**`));
    expect(scripts.filter(isIgnored)).toEqual([]);
    expect(argumentsOf('RUN').filter((step) => /\brm\b/.test(step))).toEqual([
      'find . -name node_modules -prune -o -type d -name src -prune -exec rm -r {} +',
    ]);
    const { files } = JSON.parse(readFileSync(join(projectRoot, 'packages/redis/package.json'), 'utf8'));
    expect(files).toBeUndefined();
  });

  it('sends no secret and no local build to the builder', () => {
    const ignored = readFileSync(join(projectRoot, '.dockerignore'), 'utf8').split('\n');
    expect(ignored).toEqual(
      expect.arrayContaining(['.git', '.env', '.env.*', '**/node_modules', '**/dist', '**/.local']),
    );
  });
});
