import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { patch } from '../../api/call.js';
import type { Channel, ChannelState } from '../../api/operators.js';
import { ChangeDialog } from '../../parts/change-dialog.jsx';
import { TextField } from '../../parts/field.jsx';
import { useForm } from '../../parts/form.js';
import { numberOrText } from '../../parts/number-text.js';
import { useToast } from '../../parts/toasts.jsx';

export type ChannelChange = ChannelState | 'weight';

function useWords(id: string) {
  const { t } = useLingui();
  return {
    active: { title: t`Activate ${id}?`, verb: t`Activate`, about: t`It takes calls again within a second.` },
    draining: {
      title: t`Drain ${id}?`,
      verb: t`Drain`,
      about: t`It takes only calls that are bound to it. Without another channel of the vendor, new calls are refused.`,
    },
    paused: {
      title: t`Pause ${id}?`,
      verb: t`Pause`,
      about: t`It takes no calls any more. Running calls end normally, and tasks are polled on.`,
    },
    weight: {
      title: t`Weigh ${id}`,
      verb: t`Set weight`,
      about: t`Its share of the calls beside the vendor's other channels.`,
    },
  } as const satisfies Record<ChannelChange, object>;
}

interface ChangeChannelProps {
  readonly channel: Channel;
  readonly change: ChannelChange;
  readonly onClose: () => void;
}

/** Asks for the reason of a change. All workers follow within a second. */
export function ChangeChannel({ channel, change, onClose }: ChangeChannelProps) {
  const { t } = useLingui();
  const toast = useToast();
  const words = useWords(channel.id)[change];
  const [reason, setReason] = useState('');
  const [weight, setWeight] = useState(channel.weight?.toString() ?? '');
  const changed = change === 'weight' ? { weight: numberOrText(weight) } : { state: change };
  const form = useForm<void, unknown>(
    ['reason', 'weight'],
    () => patch(`/admin/channels/${encodeURIComponent(channel.id)}`, { ...changed, reason }),
    () => {
      toast({ title: t`Saved`, description: channel.id });
      onClose();
    },
  );
  return (
    <ChangeDialog
      isOpen
      onClose={onClose}
      title={words.title}
      about={words.about}
      verb={words.verb}
      isDanger={change === 'paused'}
      form={form}
    >
      {change === 'weight' && (
        <TextField
          label={t`Weight`}
          inputMode="decimal"
          hint={t`0 to 1000. Empty: the configured weight, ${channel.configured_weight ?? 1}.`}
          value={weight}
          onValue={setWeight}
          problem={form.problemOf('weight')}
        />
      )}
      <TextField
        label={t`Reason`}
        hint={t`Operators read it beside the channel and in the audit log.`}
        value={reason}
        onValue={setReason}
        problem={form.problemOf('reason')}
      />
    </ChangeDialog>
  );
}
