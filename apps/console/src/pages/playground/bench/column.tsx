import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { isGatewayError } from '../../../api/failures.js';
import type { Model } from '../../../api/models.js';
import { Problem } from '../../../parts/states.jsx';
import { CostLine } from './cost-line.jsx';
import { costOf } from './estimate-cost.js';
import { type Exchange, hasEnded } from './exchange.js';
import type { Kind } from './kind.js';
import { StopNote } from './stop-note.jsx';

interface ColumnProps<Draft, Output> {
  readonly kind: Kind<Draft, Output>;
  readonly model: Model;
  readonly exchanges: readonly Exchange<Draft, Output>[];
  /** True: no other model stands beside it. */
  readonly isAlone: boolean;
  readonly sendTo: (draft: Draft) => void;
}

/** At the prices of the quote, which knows long prompts; else at the model's own. */
function estimateOf<Draft, Output>(kind: Kind<Draft, Output>, model: Model, exchange: Exchange<Draft, Output>) {
  const { quote, output } = exchange;
  if (kind.unitsOf === undefined) return quote?.estimate_usd ?? null;
  return costOf(kind.unitsOf(output, quote), quote?.unit_prices ?? model.pricing.per_million);
}

const PAYMENT_REQUIRED = 402;

const WhatToDo = ({ error }: { readonly error: unknown }) => {
  if (!isGatewayError(error) || error.status !== PAYMENT_REQUIRED) return null;
  return (
    <p>
      <Trans>
        The key has spent its cap, or the account its credit. Choose a higher cap above, or{' '}
        <Link to="/billing" className="text-accent underline">
          see billing
        </Link>
        .
      </Trans>
    </p>
  );
};

function ExchangeView<Draft, Output>({
  kind,
  model,
  exchange,
  send,
}: Pick<ColumnProps<Draft, Output>, 'kind' | 'model'> & {
  readonly exchange: Exchange<Draft, Output>;
  readonly send: ((draft: Draft) => void) | undefined;
}) {
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <kind.Result exchange={exchange} send={send} />
      {exchange.state === 'failed' && (
        <Problem error={exchange.error} {...(send !== undefined && { onRetry: () => send(exchange.draft) })} />
      )}
      {exchange.state === 'failed' && <WhatToDo error={exchange.error} />}
      <StopNote exchange={exchange} />
      <CostLine exchange={exchange} estimate={estimateOf(kind, model, exchange)} />
    </div>
  );
}

/** One model: what was sent to it, and what it answered. */
export function Column<Draft, Output>({ kind, model, exchanges, isAlone, sendTo }: ColumnProps<Draft, Output>) {
  if (isAlone && exchanges.length === 0) return null;
  return (
    <section
      aria-label={model.id}
      className={isAlone ? 'flex min-w-0 flex-col gap-6' : 'flex min-w-0 flex-col gap-6 rounded-panel border p-4'}
    >
      {!isAlone && <h2 className="truncate font-semibold">{model.id}</h2>}
      {exchanges.map((exchange, index) => (
        <ExchangeView
          key={exchange.id}
          kind={kind}
          model={model}
          exchange={exchange}
          send={hasEnded(exchange) && index === exchanges.length - 1 ? sendTo : undefined}
        />
      ))}
      {exchanges.length === 0 && (
        <p className="text-muted">
          <Trans>Its answer appears here.</Trans>
        </p>
      )}
    </section>
  );
}
