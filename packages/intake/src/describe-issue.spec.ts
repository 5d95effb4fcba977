import { embeddingsRequest } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { describeIssue } from './describe-issue.js';

const schema = z.strictObject({
  input: z.record(z.string(), z.unknown()).optional(),
  text: z.union([z.string().min(1), z.array(z.string()).min(1)]).optional(),
  name: z.string().min(2).max(3).optional(),
  count: z.int().min(1).max(10).optional(),
  ratio: z.number().gt(0).optional(),
  step: z.number().multipleOf(16).optional(),
  role: z.enum(['user', 'assistant']).optional(),
  kind: z.literal('image').optional(),
  pair: z.array(z.number()).length(2).optional(),
  flag: z.boolean().optional(),
  part: z
    .discriminatedUnion('type', [z.object({ type: z.literal('text') }), z.object({ type: z.literal('image') })])
    .optional(),
  either: z.union([z.int(), z.string().regex(/^\d$/).transform(Number)], 'expected a digit, such as "5"').optional(),
  labels: z.record(z.string().max(3), z.string()).optional(),
  own: z
    .string()
    .refine(() => false, 'expected words of our own')
    .optional(),
});

function messageOf(body: unknown, of: z.ZodType = schema): string {
  const parsed = of.safeParse(body);
  if (parsed.success) throw new Error('expected a failure');
  return describeIssue(parsed.error).message;
}

describe('describeIssue', () => {
  it.each([
    [{ input: 5 }, "'input': expected an object, received a number"],
    [{ text: 5 }, "'text': expected a string or an array, received a number"],
    [{ text: '' }, "'text': expected a value that is not empty"],
    [{ text: [1] }, "'text[0]': expected a string, received a number"],
    [{ name: 'x' }, "'name': expected at least 2 characters"],
    [{ name: 'xxxx' }, "'name': expected at most 3 characters"],
    [{ count: 0 }, "'count': expected at least 1"],
    [{ count: 11 }, "'count': expected at most 10"],
    [{ count: 1.5 }, "'count': expected an integer, received a number"],
    [{ ratio: 0 }, "'ratio': expected more than 0"],
    [{ step: 17 }, "'step': expected a multiple of 16"],
    [{ role: 'robot' }, "'role': expected one of 'user', 'assistant'"],
    [{ kind: 'text' }, "'kind': expected 'image'"],
    [{ pair: [1] }, "'pair': expected exactly 2 entries"],
    [{ flag: 'yes' }, "'flag': expected true or false, received a string"],
    [{ part: { type: 'video' } }, "'part.type': expected one of 'text', 'image'"],
    [{ part: {} }, "'part.type': expected one of 'text', 'image'"],
    [{ own: 'x' }, "'own': expected words of our own"],
    [{ either: 'x' }, `'either': expected a digit, such as "5"`],
    [{ labels: { long: 'x' } }, "'labels.long': expected at most 3 characters in its name"],
    [{ other: 1 }, "unknown field 'other'"],
    [null, 'expected an object, received null'],
  ])('describes %j by field and expectation: %s', (body, message) => {
    expect(messageOf(body)).toBe(message);
  });

  it('names a missing field', () => {
    const required = z.object({ input: z.record(z.string(), z.unknown()), model: z.string() });
    expect(messageOf({}, required)).toBe("'input': expected an object, and the field is missing");
  });

  it.each([
    [{ other: 1, more: 2 }, 'other', "unknown fields 'other', 'more'"],
    [{ inner: { other: 1 } }, 'inner.other', "'inner': unknown field 'other'"],
  ])('names the first unknown field of %j: %s', (body, param, message) => {
    const parsed = z.strictObject({ inner: z.strictObject({}).optional() }).safeParse(body);
    if (parsed.success) throw new Error('nothing was refused');
    expect(describeIssue(parsed.error).toRecord()).toMatchObject({ param, message });
  });

  it('says once what both branches of a union expect', () => {
    expect(messageOf({ model: 'vg-4', input: 5 }, embeddingsRequest)).toBe(
      "'input': expected text or an array of texts",
    );
    expect(messageOf({ model: 'vg-4', input: [5] }, embeddingsRequest)).toBe("'input[0]': expected text");
  });

  it('uses no words of the validator', () => {
    for (const body of [{ text: 5 }, { name: '' }, { count: 99 }, { role: 1 }, { kind: null }, { other: 1 }, 5]) {
      expect(messageOf(body)).not.toMatch(/Invalid|Too (small|big)|record|undefined|>=|<=/);
    }
  });
});
