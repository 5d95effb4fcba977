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

describe('the shape of the folders', () => {
  it('is right as it stands here', () => {
    expect(faultsOfShape(root)).toEqual([]);
  });

  it('wants every file of a protocol', () => {
    rmSync(join(root, PROTOCOL, 'errors.ts'));
    rmSync(join(root, PROTOCOL, '__fixtures__/answer.json'));
    expect(faultsOfShape(root)).toEqual([
      `${PROTOCOL}/errors.ts is missing`,
      `${PROTOCOL}/__fixtures__ has nothing in it`,
    ]);
  });

  it('wants a stream of a protocol that chats only', () => {
    rmSync(join(root, PROTOCOL, 'stream.ts'));
    expect(faultsOfShape(root)).toEqual([`${PROTOCOL}/stream.ts is missing`]);
    write('packages/contracts/src/models/chat-model-traits.ts', 'export const CHAT_PROTOCOL_IDS = [] as const;');
    expect(faultsOfShape(root)).toEqual([]);
  });

  it('wants every folder that has a wire format in the registry', () => {
    write('packages/upstreams/src/registry.ts');
    expect(faultsOfShape(root)).toEqual([expect.stringMatching(/some-chat speaks a protocol that .* does not offer/)]);
  });

  it('wants a README in every app and package', () => {
    write('apps/shop/package.json', '{}');
    expect(faultsOfShape(root)).toEqual(['apps/shop/README.md is missing']);
  });

  it('finds imports that hide in a type, and leaves dynamic ones to the import rules', () => {
    write('packages/shop/src/a.ts', "export type Store = import('ioredis').Redis;");
    write('packages/shop/src/b.ts', "export const load = () => import('ioredis');");
    expect(faultsOfShape(root)).toEqual([expect.stringContaining('packages/shop/src/a.ts')]);
  });
});
