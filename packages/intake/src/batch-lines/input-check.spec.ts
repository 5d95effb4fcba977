import { describe, expect, it } from '@jest/globals';
import { BatchInputCheck } from './input-check.js';

function check(ids: readonly (string | null)[]) {
  const input = new BatchInputCheck();
  const isRead = ids.map((id, index) => input.add(index + 1, id));
  return { checked: input.end(), isRead };
}

describe('BatchInputCheck', () => {
  it('counts lines, also those without an id', () => {
    expect(check(['a', null, 'b', null]).checked).toEqual({ total: 4 });
  });

  it('refuses an input without lines', () => {
    expect(check([]).checked).toMatchObject({ errors: [{ code: 'empty_file' }] });
  });

  it('names each line that repeats an id, and the first that had it, up to twenty', () => {
    const { checked } = check(['a', 'b', 'a', 'a', ...Array<string>(40).fill('b')]);
    const { errors } = checked as { errors: readonly { line: number; message: string }[] };
    expect(errors).toHaveLength(20);
    expect(errors[1]).toMatchObject({ code: 'duplicate_custom_id', param: 'custom_id', line: 4 });
    expect(errors[2]?.message).toContain('line 2');
  });

  it('stops behind the longest input that a batch may have', () => {
    const { checked, isRead } = check(Array.from({ length: 50_001 }, (_, index) => `id-${index}`));
    expect(isRead.slice(-2)).toEqual([true, false]);
    expect(checked).toMatchObject({ errors: [{ code: 'too_many_lines', line: 50_001 }] });
  });
});
