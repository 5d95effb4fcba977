import { type EditHead, encodeEditHead } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { ticketOf } from '../../test-support/fakes.js';
import { planExecution } from '../plan-execution.js';
import { InteractionIds } from './interaction-ids.js';

const ids = new InteractionIds(['s'.repeat(32)]);
const CONTENT = Buffer.from('an image');
const FILE = { field: 'image', format: 'png', width: 64, height: 64, bytes: CONTENT.length } as const;

function planOf(model: string, more: Partial<EditHead['request']>) {
  const head = encodeEditHead({ request: { model, prompt: 'A hat', ...more }, files: [FILE] });
  const plan = planExecution(ticketOf({ endpoint: 'images.edits', model }), Buffer.concat([head, CONTENT]), ids);
  if (plan.kind !== 'unary') throw new Error(plan.kind);
  return plan;
}

const FAMILIES = ['qn-image-2.0', 'seedream-4.5', 'grok-imagine-image'];

describe('an edit by a family that answers by address', () => {
  it.each(FAMILIES)('returns the image itself by default: %s', (model) => {
    expect(planOf(model, {}).completeReply).toBeDefined();
    expect(planOf(model, { response_format: 'b64_json' }).completeReply).toBeDefined();
  });

  it.each(FAMILIES)('returns the address on request: %s', (model) => {
    expect(planOf(model, { response_format: 'url' }).completeReply).toBeUndefined();
  });
});
