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
import { accountDocument, accountRoutes } from './test-support/account-document.js';

const GOLDEN = new URL('../../../docs/openapi/accounts.json', import.meta.url);
const RECORDED = new URL('../../../docs/openapi/recorded/accounts.json', import.meta.url);

const recorded = JSON.parse(readFileSync(RECORDED, 'utf8')) as RecordedAnswers;
const document = buildDocument(accountDocument(recorded));

describe('the description of the account interface', () => {
  it('describes every route', () => {
    const missing = accountRoutes.filter(({ description }) => description === undefined);
    expect(missing.map(({ method, path }) => `${method} ${path}: add @Describe`)).toEqual([]);
  });

  it('describes every field, parameter and header', () => {
    const missing = undescribedFields(document);
    expect(missing.map((place) => `${place}: add .meta({ description }) or a row of field-words`)).toEqual([]);
  });

  it('says that the spending of a key has what is held for its videos', () => {
    expect(document.components).toHaveProperty(
      'schemas.Key.properties.spent_usd.description',
      expect.stringContaining('held for videos'),
    );
  });

  it('has an example of every operation', () => {
    const missing = withoutExample(accountDocument(recorded));
    expect(missing.map((id) => `${id}: add examples to its description`)).toEqual([]);
  });

  it('has an example only with the answer that a scenario got', () => {
    const missing = unrecordedExamples(accountDocument(recorded));
    expect(missing.map((name) => `${name}: run tests/e2e/api with UPDATE_GOLDEN=1`)).toEqual([]);
  });

  it('equals its golden file (regenerate with UPDATE_GOLDEN=1 and review the diff)', () => {
    const text = `${JSON.stringify(document, null, 2)}\n`;
    expect(goldenFile(GOLDEN, text) === text).toBe(true);
  });

  it('is valid for two validators', async () => {
    expect(await documentFaults(document)).toEqual([]);
  });
});
