import { GatewayError, type StoredVideoTask } from '@gateway/contracts';

const PLACE = /^(\d{1,15}) (task_[a-z2-7]{26})$/;

/** Where a page of the list ends, as a word that clients hand back and do not read. */
export const cursorOf = ({ createdAtMs, taskId }: Pick<StoredVideoTask, 'createdAtMs' | 'taskId'>): string =>
  Buffer.from(`${createdAtMs} ${taskId}`).toString('base64url');

/** Throws a 400 for a word that no page has ended with. */
export function placeOf(cursor: string): { readonly createdAtMs: number; readonly taskId: string } {
  const [, createdAt, taskId] = PLACE.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (createdAt === undefined || taskId === undefined) {
    throw new GatewayError('invalid_request', "'cursor': expected the 'next_cursor' of a page of this list.", {
      param: 'cursor',
    });
  }
  return { createdAtMs: Number(createdAt), taskId };
}
