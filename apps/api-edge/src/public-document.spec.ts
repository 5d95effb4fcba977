import { readFileSync } from 'node:fs';
import {
  buildDocument,
  type RecordedAnswers,
  undescribedFields,
  unrecordedExamples,
  withoutExample,
} from '@gateway/api-description';
import { documentFaults, goldenFile } from '@gateway/testing';
import { describe, expect, it } from '@jest/globals';

// Loaded first: jest refuses a module that is required while it is being imported.
await import('content-disposition');
const { publicDocument, publicRoutes } = await import('./test-support/public-document.js');

const GOLDEN = new URL('../../../docs/openapi/public.json', import.meta.url);
const RECORDED = new URL('../../../docs/openapi/recorded/public.json', import.meta.url);

const recorded = JSON.parse(readFileSync(RECORDED, 'utf8')) as RecordedAnswers;
const document = buildDocument(publicDocument(recorded));

describe('the description of the public API', () => {
  it('describes every route', () => {
    const missing = publicRoutes.filter(({ description }) => description === undefined);
    expect(missing.map(({ method, path }) => `${method} ${path}: add @Describe`)).toEqual([]);
  });

  it('describes every field, parameter and header', () => {
    const missing = undescribedFields(document);
    expect(missing.map((place) => `${place}: add .meta({ description }) or a row of field-words`)).toEqual([]);
  });

  it('has an example of every operation', () => {
    const missing = withoutExample(publicDocument(recorded));
    expect(missing.map((id) => `${id}: add examples to its description`)).toEqual([]);
  });

  it('has an example only with the answer that a scenario got', () => {
    const missing = unrecordedExamples(publicDocument(recorded));
    expect(missing.map((name) => `${name}: run tests/e2e/api with UPDATE_GOLDEN=1`)).toEqual([]);
  });

  it('equals its golden file (regenerate with UPDATE_GOLDEN=1 and review the diff)', () => {
    const text = `${JSON.stringify(document, null, 2)}\n`;
    expect(goldenFile(GOLDEN, text) === text).toBe(true);
  });

  it('is valid for two validators', async () => {
    // OpenAI's path beside ours. No video has the id `generations`, and the server matches a fixed part first.
    const known = '`/v1/videos/generations/{id}` and `/v1/videos/{id}/content`';
    expect((await documentFaults(document)).filter((fault) => !fault.includes(known))).toEqual([]);
  });
});
