import { packed } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { ownSignatures } from './own-signatures.js';

const foreign = packed({ protocol: 'anthropic-messages', data: { signature: 's' } });
const SKIP = 'skip_thought_signature_validator';
const call = (name: string, more: object = {}) => ({ functionCall: { name }, ...more });
const bodyOf = (...parts: readonly object[]) =>
  Buffer.from(
    JSON.stringify({
      contents: [
        { role: 'user', parts: [{ text: 'Hi' }] },
        { role: 'model', parts },
      ],
    }),
  );
const sent = (body: Buffer, signsCalls?: true) =>
  JSON.parse(ownSignatures({ body, signsCalls }).toString()).contents[1].parts;

describe('signatures of a conversation that another model began', () => {
  it.each(['thoughtSignature', 'thought_signature'])('are not sent as %s', (name) => {
    const body = bodyOf({ text: 'a', [name]: foreign }, call('f', { [name]: 'own' }));
    expect(sent(body)).toEqual([{ text: 'a' }, call('f', { [name]: 'own' })]);
  });

  it('are replaced at the first of parallel calls, where the model needs one', () => {
    const body = bodyOf(call('f', { thoughtSignature: foreign }), call('g'));
    expect(sent(body, true)).toEqual([call('f', { thoughtSignature: SKIP }), call('g')]);
    expect(sent(body)).toEqual([call('f'), call('g')]);
    expect(sent(bodyOf(call('f')), true)).toEqual([call('f', { thoughtSignature: SKIP })]);
  });
});

it('returns the same bytes where nothing is to be changed', () => {
  const plain = bodyOf({ text: 'a' });
  expect(ownSignatures({ body: plain, signsCalls: true })).toBe(plain);
  const signed = bodyOf(call('f', { thoughtSignature: 'own' }));
  expect(ownSignatures({ body: signed, signsCalls: true })).toBe(signed);
  const unsigned = bodyOf(call('f'));
  expect(ownSignatures({ body: unsigned })).toBe(unsigned);
});
