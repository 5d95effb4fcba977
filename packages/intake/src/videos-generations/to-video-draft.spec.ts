import { isGatewayError, type StoredVideoTask } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { toVideoDraft } from './to-video-draft.js';

const task = (fields: Partial<StoredVideoTask>): StoredVideoTask =>
  ({
    publicId: 'cgt-1',
    model: 'seedance-1.5-pro',
    state: 'succeeded',
    unit: 'second_480p_draft',
    durationSeconds: 8,
    aspectRatio: '9:16',
    ...fields,
  }) as StoredVideoTask;

describe('toVideoDraft', () => {
  it('takes model, duration, ratio and audio from the draft', () => {
    const draft = { modelId: 'seedance-1.5-pro', durationSeconds: 8, aspectRatio: '9:16' };
    expect(toVideoDraft(task({}))).toEqual({ ...draft, isSilent: false });
    expect(toVideoDraft(task({ unit: 'second_480p_silent_draft' }))).toEqual({ ...draft, isSilent: true });
  });

  it.each([
    [{ unit: 'second_480p' }, 'is not a draft'],
    [{ state: 'running' as const }, 'has not succeeded'],
    [{ state: 'failed' as const }, 'has not succeeded'],
  ])('rejects %j', (fields, why) => {
    const error: unknown = (() => {
      try {
        return toVideoDraft(task(fields));
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(isGatewayError(error) && error.toRecord()).toMatchObject({
      code: 'invalid_request',
      param: 'input.content',
      message: expect.stringContaining(why),
    });
  });
});
