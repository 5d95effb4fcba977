import { describe, expect, it } from '@jest/globals';
import { STAND_INS } from '../families/stand-ins.js';
import { findModel } from './find-model.js';
import { isStandIn, modelAt } from './model-at.js';
import { nearestModel } from './nearest-name.js';

const NOW = Date.parse('2026-11-22');

describe('names that clients have built in', () => {
  it.each(STAND_INS.flatMap(({ names, model }) => names.map((name) => [name, model] as const)))(
    '%s is served by %s under its own id',
    (name, id) => {
      const model = modelAt(name, NOW);
      expect(model).toBe(modelAt(id, NOW));
      expect(model?.chat).toBeDefined();
      expect(model && isStandIn(name, model)).toBe(true);
      expect(findModel(name)).toBeUndefined();
    },
  );

  it('follows the retirement of the model that stands in', () => {
    expect(modelAt('gemini-3-pro-preview', Date.parse('2026-12-01'))).toMatchObject({
      id: 'gm-2.5-pro',
      servedBy: 'gm-3.8-flash',
    });
  });

  it('never gives a pro model to a name without pro', () => {
    for (const { names, model } of STAND_INS) {
      if (model.endsWith('-pro') && model.startsWith('gp-'))
        for (const name of names) expect(name).toMatch(/-pro(-\d{4}-\d\d-\d\d)?$/);
    }
  });
});

describe('nearestModel', () => {
  it.each([
    ['claude-opus-5.5', 'cl-opus-5-5'],
    ['claude-sonnet-4-6-20260217', 'cl-sonnet-4-6'],
    ['GPT-5.4-Mini', 'gp-5.4-mini'],
    ['gemini-2.5-pro-exp', 'gm-2.5-pro'],
    ['voyage-4-larg', 'vg-4-large'],
  ])('%s was meant for %s', (name, id) => {
    expect(nearestModel(name, NOW)?.id).toBe(id);
  });

  it('names nothing for a name that resembles none, or that is too long', () => {
    for (const name of ['zzz', '', 'gpt-'.repeat(40)]) expect(nearestModel(name, NOW)).toBeUndefined();
  });

  it('names only models that are usable', () => {
    expect(nearestModel('claude-opus-5.5', NOW, ({ family }) => family === 'gm')).toBeUndefined();
  });
});
