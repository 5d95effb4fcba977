import { GatewayError, type StoredVideoTask } from '@gateway/contracts';

const CURSOR = /^(\d{1,15}) (task_[a-z0-9]{26})$/;

/** The last task of a page, opaque to clients. */
export const encodeTaskCursor = ({ createdAtMs, taskId }: Pick<StoredVideoTask, 'createdAtMs' | 'taskId'>): string =>
  Buffer.from(`${createdAtMs} ${taskId}`).toString('base64url');

/** Throws a 400 for text that `encodeTaskCursor` did not write. */
export function decodeTaskCursor(cursor: string): { readonly createdAtMs: number; readonly taskId: string } {
  const [, createdAt, taskId] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (createdAt === undefined || taskId === undefined) {
    throw new GatewayError('invalid_request', "'cursor': expected the 'next_cursor' of a page of this list.", {
      param: 'cursor',
    });
  }
  return { createdAtMs: Number(createdAt), taskId };
}
