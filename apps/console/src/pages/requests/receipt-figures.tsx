import { Trans, useLingui } from '@lingui/react/macro';
import type { Receipt } from '../../api/requests.js';
import { duration } from '../../format/time.js';
import { Figure, FigureRow } from '../../parts/figure.jsx';
import { Amount } from '../../parts/figures.jsx';
import { OutcomeStatus } from '../../parts/outcome.jsx';

const between = (from: string | null, to: string | null): number | null =>
  from === null || to === null ? null : Date.parse(to) - Date.parse(from);

/** What a person asks first: what it cost, how long it took, and how it ended. */
export function ReceiptFigures({ receipt }: { readonly receipt: Receipt }) {
  const { t, i18n } = useLingui();
  const { timeline } = receipt;
  const whole = between(timeline.admitted_at, timeline.settled_at);
  const first = between(timeline.admitted_at, timeline.first_byte_at);
  return (
    <FigureRow>
      <Figure name={t`Charged`} about={<OutcomeStatus outcome={receipt.outcome} />}>
        <Amount usd={receipt.cost_usd} />
      </Figure>
      <Figure
        name={t`Took`}
        about={first === null ? t`no byte was sent` : <Trans>first byte after {duration(first, i18n.locale)}</Trans>}
      >
        {whole === null ? '—' : duration(whole, i18n.locale)}
      </Figure>
    </FigureRow>
  );
}
