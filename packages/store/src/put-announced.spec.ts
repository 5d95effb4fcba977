import { Readable } from 'node:stream';
import { expect, it } from '@jest/globals';
import { AnnouncementGone } from './failures.js';
import { putAnnounced } from './put-announced.js';

async function write(row: string | null) {
  const steps: string[] = [];
  const step = (name: string) => async (key: string) => {
    steps.push(`${name} ${key}`);
  };
  const contents = { stream: Readable.from([]), bytes: 0 };
  const show = async () => {
    steps.push('show');
    return row;
  };
  const written = putAnnounced({ put: step('put'), delete: step('delete') }, 'files/a', contents, show);
  return { steps, written: await written.catch((error: unknown) => error) };
}

it('shows an object after its bytes are written', async () => {
  expect(await write('row')).toEqual({ steps: ['put files/a', 'show'], written: 'row' });
});

it('deletes the bytes of an object whose row is gone', async () => {
  const { steps, written } = await write(null);
  expect(steps).toEqual(['put files/a', 'show', 'delete files/a']);
  expect(written).toBeInstanceOf(AnnouncementGone);
});
