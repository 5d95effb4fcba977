import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { faultsOfShape } from './check-shape.mjs';

const PROTOCOL = 'packages/upstreams/src/some-chat';
let root;

function write(path, text = 'export {};') {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'check-shape-'));
  write(
    'packages/contracts/src/models/chat-model-traits.ts',
    "export const CHAT_PROTOCOL_IDS = ['some-chat'] as const;",
  );
  write('packages/upstreams/src/registry.ts', "import { someChat } from './some-chat/index.js';");
  for (const file of ['wire', 'request', 'response', 'stream', 'errors', 'index']) write(`${PROTOCOL}/${file}.ts`);
  write(`${PROTOCOL}/__fixtures__/answer.json`, '{}');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('folder shape', () => {
  it('accepts a complete project', () => {
    expect(faultsOfShape(root)).toEqual([]);
  });

  it('requires every file of a protocol', () => {
    rmSync(join(root, PROTOCOL, 'errors.ts'));
    rmSync(join(root, PROTOCOL, '__fixtures__/answer.json'));
    expect(faultsOfShape(root)).toEqual([`${PROTOCOL}/errors.ts is missing`, `${PROTOCOL}/__fixtures__ is empty`]);
  });

  it('requires a stream only for chat protocols', () => {
    rmSync(join(root, PROTOCOL, 'stream.ts'));
    expect(faultsOfShape(root)).toEqual([`${PROTOCOL}/stream.ts is missing`]);
    write('packages/contracts/src/models/chat-model-traits.ts', 'export const CHAT_PROTOCOL_IDS = [] as const;');
    expect(faultsOfShape(root)).toEqual([]);
  });

  it('requires every folder with a wire format in the registry', () => {
    write('packages/upstreams/src/registry.ts');
    expect(faultsOfShape(root)).toEqual([
      expect.stringMatching(/some-chat has a protocol that is missing in .*registry\.ts/),
    ]);
  });

  it('requires a README in every app and package', () => {
    write('apps/shop/package.json', '{}');
    expect(faultsOfShape(root)).toEqual(['apps/shop/README.md is missing']);
  });

  it('allows eight files in the root of an app beside main and the module', () => {
    for (const file of ['main', 'app.module', 'a.spec', ...'abcdefgh']) write(`apps/shop/src/${file}.ts`);
    expect(faultsOfShape(root)).toEqual([]);
    write('apps/shop/src/i.ts');
    expect(faultsOfShape(root)).toEqual([expect.stringContaining('apps/shop/src has 9 files')]);
  });

  it('finds imports inside types, and leaves dynamic ones to the import rules', () => {
    write('packages/shop/src/a.ts', "export type Store = import('ioredis').Redis;");
    write('packages/shop/src/b.ts', "export const load = () => import('ioredis');");
    expect(faultsOfShape(root)).toEqual([expect.stringContaining('packages/shop/src/a.ts')]);
  });
});
