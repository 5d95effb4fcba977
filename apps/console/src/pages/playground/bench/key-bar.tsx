import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '../../../parts/button.jsx';
import { Time } from '../../../parts/figures.jsx';
import { Select } from '../../../parts/select.jsx';
import { useExclusiveMutation } from '../../../parts/use-exclusive-mutation.js';
import { revokePlaygroundKey, usePlaygroundKey } from './playground-key.js';

const CAPS = ['0.50', '1.00', '5.00', '20.00'] as const;
export type KeyChoice = (typeof CAPS)[number] | 'test';
export const FIRST_CHOICE: KeyChoice = '1.00';

interface KeyBarProps {
  readonly choice: KeyChoice;
  readonly onChoice: (choice: KeyChoice) => void;
  readonly accountId: string;
}

/** The key of the playground: what it may spend, when it ends, and its end now. */
export function KeyBar({ choice, onChoice, accountId }: KeyBarProps) {
  const { t } = useLingui();
  const apiKey = usePlaygroundKey(accountId);
  const revoke = useExclusiveMutation({ mutationFn: revokePlaygroundKey });
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Select
        label={t`Key of an hour`}
        isLabelHidden
        value={choice}
        onValue={onChoice}
        choices={[
          ...CAPS.map((value) => ({ value, label: t`Key of an hour, at most $${value}` })),
          { value: 'test' as const, label: t`Test key: the simulator answers, free` },
        ]}
      />
      {apiKey !== null && (
        <>
          <span className="text-muted text-small">
            <code className="font-mono">{apiKey.name}</code> · <Trans>ends</Trans>{' '}
            <Time at={apiKey.expiresAt} form="relative" />
          </span>
          <Button kind="quiet" isBusy={revoke.isPending} onClick={() => revoke.mutate()}>
            <Trans>Revoke the key</Trans>
          </Button>
        </>
      )}
    </div>
  );
}
