import { mkdirSync, writeFileSync } from 'node:fs';
import openapi, { astToString } from 'openapi-typescript';

const DOCUMENTS = new URL('../../docs/openapi/', import.meta.url);
const GENERATED = new URL('src/generated/', import.meta.url);

// The types of both documents are made at each build, so they are never older than the documents.
mkdirSync(GENERATED, { recursive: true });
for (const name of ['public', 'accounts']) {
  const types = await openapi(new URL(`${name}.json`, DOCUMENTS));
  writeFileSync(new URL(`${name}.ts`, GENERATED), astToString(types));
}
