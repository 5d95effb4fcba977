import { useLingui } from '@lingui/react/macro';
import type { CapUse } from '../api/keys.js';
import { count } from '../format/count.js';
import { shortUsd } from '../format/money.js';
import { classes } from './classes.js';
import { Time } from './figures.jsx';
import { Status } from './status.jsx';

/** From this part of a cap on, a person should look. */
const NEAR = 0.8;

/** For the width of a bar and the choice of a word only. */
export const shareOf = ({ used, limit }: Pick<CapUse, 'used' | 'limit'>): number =>
  Math.min(1, Number(limit) === 0 ? 1 : Number(used) / Number(limit));

function CapState({ cap }: { readonly cap: CapUse }) {
  const { t } = useLingui();
  const share = shareOf(cap);
  if (share >= 1)
    return <Status meaning={cap.hard ? 'failed' : 'warned'}>{cap.hard ? t`reached, refuses` : t`reached`}</Status>;
  if (share >= NEAR) return <Status meaning="warned">{t`${Math.floor(share * 100)}% used`}</Status>;
  return <span className="text-muted">{cap.hard ? t`refuses above` : t`notifies you above`}</span>;
}

function CapLine({ cap, owner }: { readonly cap: CapUse; readonly owner: string | undefined }) {
  const { t, i18n } = useLingui();
  const shown = (value: string | number) =>
    cap.measure === 'usd' ? shortUsd(String(value)) : count(Number(value), i18n.locale);
  const share = shareOf(cap);
  const period = { day: t`today`, week: t`this week`, month: t`this month`, life: t`in all` }[cap.period];
  const measure = { usd: '', requests: t`requests`, tokens: t`tokens` }[cap.measure];
  const tone = share >= 1 ? 'bg-failed' : share >= NEAR ? 'bg-warned' : 'bg-accent';
  return (
    <li className="flex flex-col gap-1">
      <div className="flex flex-wrap justify-between gap-x-4">
        <span className="wrap-anywhere min-w-0">
          {owner !== undefined && <span className="font-medium">{owner}: </span>}
          <span className="figures">
            {shown(cap.used)} / {shown(cap.limit)}
          </span>{' '}
          {measure} {period}
        </span>
        <span className="flex gap-3">
          {cap.resets_at !== null && (
            <span className="text-muted">
              {t`resets`} <Time at={cap.resets_at} form="relative" />
            </span>
          )}
          <CapState cap={cap} />
        </span>
      </div>
      <span aria-hidden className="h-1 overflow-hidden rounded-round bg-sunken">
        <span className={classes('drawn block h-full', tone)} style={{ width: `${share * 100}%` }} />
      </span>
    </li>
  );
}

export interface OwnedCap {
  readonly cap: CapUse;
  /** Whose cap it is, where a list has those of several. Two may have one name. */
  readonly owner?: string;
  readonly ownerId?: string;
}

/** Caps with what is used of them, the nearest first where they have owners. */
export const CapLines = ({ label, caps }: { readonly label: string; readonly caps: readonly OwnedCap[] }) => (
  <ul aria-label={label} className="flex flex-col gap-3">
    {caps.map(({ cap, owner, ownerId }) => (
      <CapLine key={`${ownerId} ${cap.period} ${cap.measure} ${cap.hard}`} cap={cap} owner={owner} />
    ))}
  </ul>
);
