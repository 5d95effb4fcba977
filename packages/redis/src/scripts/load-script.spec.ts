import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { loadScript } from './load-script.js';

const folder = new URL('../../scripts/', import.meta.url).pathname;
const scripts = globSync('*/*.lua', { cwd: folder, exclude: ['shared/**'] }).map((file) => file.replace('.lua', ''));

describe('loadScript', () => {
  it('replaces each include with the text of the shared file', () => {
    const text = loadScript('admission/admit');
    expect(text).toContain('local function now_us(given_ms)');
    expect(text).toContain('local function balance(account)');
    expect(text).not.toMatch(/^-- include/m);
  });

  it('throws for a script that does not exist', () => {
    expect(() => loadScript('admission/missing')).toThrow('ENOENT');
  });

  it.each(scripts)('%s describes its keys, arguments, reply, caller and atomicity at its head', (script) => {
    const lines = loadScript(script).split('\n');
    const head = lines
      .slice(
        0,
        lines.findIndex((line) => !/^(--|#!)/.test(line)),
      )
      .join('\n');
    for (const part of ['-- Caller: ', '-- Atomic because ', '-- KEYS ', '-- ARGV ', '-- Reply ']) {
      expect(head).toContain(part);
    }
  });

  it.each(scripts)('%s has its flags, if any, on the first line', (script) => {
    const text = readFileSync(`${folder}${script}.lua`, 'utf8');
    expect(text.lastIndexOf('#!lua')).toBeLessThanOrEqual(0);
  });
});
