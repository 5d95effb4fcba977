import type { ChannelControl, ChannelState } from '@gateway/contracts';
import type { Database } from '../database.js';

/** What an administrator has set for a channel, with who, when and why. */
export interface StoredChannelControl extends ChannelControl {
  readonly reason: string;
  readonly changedBy: string;
  readonly changedAt: Date;
}

/** Undefined: unchanged. A weight of null is that of the configuration. */
export interface ChannelControlChange {
  readonly channelId: string;
  readonly state?: ChannelState | undefined;
  readonly weight?: number | null | undefined;
  readonly reason: string;
  readonly changedBy: string;
}

type Row = Omit<StoredChannelControl, 'state'> & { readonly state: string };

const read = (row: Row): StoredChannelControl => ({ ...row, state: row.state as ChannelState });

/** A channel without a row is as configured. */
export const listChannelControls = async ({ prisma }: Database): Promise<readonly StoredChannelControl[]> =>
  (
    await prisma.$queryRaw<Row[]>`
      SELECT channel_id AS "channelId", state, weight, reason, changed_by AS "changedBy", changed_at AS "changedAt"
      FROM channel_control ORDER BY channel_id`
  ).map(read);

export async function changeChannelControl(
  { prisma }: Database,
  { channelId, reason, changedBy, ...given }: ChannelControlChange,
): Promise<StoredChannelControl> {
  const change = {
    ...(given.state !== undefined && { state: given.state }),
    ...(given.weight !== undefined && { weight: given.weight }),
    reason,
    changedBy,
    changedAt: new Date(),
  };
  return read(
    await prisma.channelControl.upsert({
      where: { channelId },
      create: { channelId, state: 'active', ...change },
      update: change,
    }),
  );
}
