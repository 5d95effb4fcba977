import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { describeFields, undescribedFields } from './describe-fields.js';
import { FIELD_WORDS } from './field-words/index.js';

const documentOf = (properties: object) => ({ components: { schemas: { Key: { type: 'object', properties } } } });

describe('the fields of a document', () => {
  it('keep their own description, else get the words of the longest end of their place', () => {
    const own = { type: 'string', description: 'Its own words.' };
    const document = documentOf({ model: own, models: { type: ['array', 'null'] }, reason: {} });
    describeFields(document);
    expect(document.components.schemas.Key.properties).toMatchObject({
      model: own,
      models: { description: FIELD_WORDS['Key.models'] },
      reason: { description: FIELD_WORDS.reason },
    });
    expect(undescribedFields(document)).toEqual([]);
  });

  it('say what null means only where they may be null', () => {
    const document = documentOf({ models: { type: 'array' } });
    describeFields(document);
    expect(document.components.schemas.Key.properties).toMatchObject({
      models: { description: 'The models that the key may call.' },
    });
  });

  it('say the form of a time', () => {
    const document = documentOf({
      created_at: { type: 'string' },
      finished_at: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    });
    describeFields(document);
    expect(document.components.schemas.Key.properties).toMatchObject({
      created_at: { description: 'When it was made. ISO 8601, in UTC.' },
      finished_at: { description: 'When it ended. Null: it is not at its end. Unix seconds.' },
    });
  });

  it('are found without words, at any depth', () => {
    const deep = { anyOf: [{ type: 'null' }, { type: 'array', items: { properties: { unheard_of: {} } } }] };
    expect(undescribedFields(documentOf({ list: { ...deep, description: 'A list.' } }))).toEqual([
      'Key.list.unheard_of',
    ]);
  });
});

describe('the words of fields', () => {
  it('are each used by a document', () => {
    const documents = ['public', 'accounts'].map((name) =>
      readFileSync(new URL(`../../../docs/openapi/${name}.json`, import.meta.url), 'utf8'),
    );
    const unused = Object.entries(FIELD_WORDS).filter(([, words]) => {
      const start = JSON.stringify(words.split(' Null: ')[0]).slice(1, -1);
      return !documents.some((text) => text.includes(start));
    });
    expect(unused.map(([name]) => name)).toEqual([]);
  });
});
