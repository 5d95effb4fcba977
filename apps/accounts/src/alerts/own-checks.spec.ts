import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { OWN_CHECKS } from './own-checks.js';

const RULES = resolve(import.meta.dirname, '../../../../infra/alerts');
const RULE = /- alert: (\w+)\n(?:(?!- alert:)[\s\S])*?severity: (\w+)/g;

const severities = new Map(
  globSync('*.yaml', { cwd: RULES }).flatMap((file) =>
    [...readFileSync(resolve(RULES, file), 'utf8').matchAll(RULE)].map(
      ([, name, severity]) => [name, severity] as const,
    ),
  ),
);

it.each(Object.entries(OWN_CHECKS))('%s has the severity of the rule of its name', (name, { severity }) => {
  expect(severities.get(name)).toBe(severity);
});
