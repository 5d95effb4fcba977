import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { simplifySchema } from './simplify-schema.js';

const text = { type: 'string' };

describe('simplifySchema', () => {
  it('removes null from unions and from lists of types', () => {
    expect(simplifySchema({ anyOf: [text, { type: 'null' }], description: 'x' })).toEqual({
      ...text,
      description: 'x',
    });
    expect(simplifySchema({ type: ['string', 'null'] })).toEqual(text);
    expect(simplifySchema({ type: ['string', 'number', 'null'] })).toEqual({ type: ['string', 'number'] });
  });

  it('removes what admits everything', () => {
    const map = { type: 'object', propertyNames: text, additionalProperties: {} };
    expect(simplifySchema(map)).toEqual({ type: 'object' });
    expect(simplifySchema({ ...map, additionalProperties: false })).toEqual({
      type: 'object',
      additionalProperties: false,
    });
  });

  it('makes one object of a union of objects', () => {
    const message = z.discriminatedUnion('role', [
      z.looseObject({
        role: z.literal('user'),
        content: z.union([z.string(), z.array(z.looseObject({ type: z.literal('text'), text: z.string() })).min(1)]),
      }),
      z.looseObject({
        role: z.literal('tool'),
        content: z.array(z.looseObject({ type: z.enum(['image', 'file']) })).min(2),
        id: z.string(),
      }),
    ]);
    expect(simplifySchema(z.toJSONSchema(message))).toMatchObject({
      type: 'object',
      required: ['role', 'content'],
      properties: {
        role: { type: 'string', enum: ['user', 'tool'] },
        content: {
          anyOf: [
            text,
            {
              type: 'array',
              minItems: 1,
              items: {
                type: 'object',
                required: ['type'],
                properties: { type: { type: 'string', enum: ['text', 'image', 'file'] }, text },
              },
            },
          ],
        },
        id: text,
      },
    });
  });

  it('sets an object apart from other types, also in a union of unions', () => {
    const object = { type: 'object', properties: { name: text } };
    const union = { anyOf: [text, { anyOf: [object] }] };
    expect(simplifySchema({ anyOf: [text, object] })).toEqual(union);
    expect(simplifySchema({ anyOf: [union, text] })).toEqual(union);
  });

  it('keeps a text without limits beside words', () => {
    expect(
      simplifySchema({
        anyOf: [
          { ...text, enum: ['auto'] },
          { ...text, minLength: 1 },
        ],
      }),
    ).toEqual(text);
    expect(
      simplifySchema({
        anyOf: [
          { ...text, minLength: 3 },
          { ...text, minLength: 1 },
        ],
      }),
    ).toEqual({ ...text, minLength: 1 });
  });

  it('keeps choices of other types as they are', () => {
    const choices = [{ type: 'number', minimum: 0 }, { type: 'boolean' }];
    expect(simplifySchema({ oneOf: [...choices, choices[0]] })).toEqual({ anyOf: choices });
  });
});
