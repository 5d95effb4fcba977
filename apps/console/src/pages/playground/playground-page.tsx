import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type Model, modelsQuery } from '../../api/models.js';
import { useSession } from '../../api/session.js';
import { buttonClasses } from '../../parts/button.jsx';
import { NoCredit, useHasNoCredit } from '../../parts/no-credit.jsx';
import { Page } from '../../parts/page.jsx';
import { Select } from '../../parts/select.jsx';
import { Empty, Problem, Skeleton } from '../../parts/states.jsx';
import { FIRST_CHOICE, KeyBar, type KeyChoice } from './bench/key-bar.jsx';
import { type Prompt, promptOf } from './chat/prompt-of.js';
import { placeOf } from './endpoints.js';
import { KIND_IDS, KINDS, type KindId } from './kinds.jsx';
import { ModelsBar } from './models-bar.jsx';

/** `model`: ids with commas between them. `endpoint`: of a request that is tried again. */
interface PlaygroundSearch {
  readonly kind?: string;
  readonly model?: string;
  readonly endpoint?: string;
}

/** A receipt that is tried again brings the body that its key kept. It is no part of the address. */
const keptPrompt = (state: object): Prompt | undefined =>
  'body' in state && typeof state.body === 'string' ? promptOf(state.body) : undefined;

const isKind = (id: string | undefined): id is KindId => id !== undefined && Object.hasOwn(KINDS, id);

/** The kind of the address, else of the endpoint, else of the model, else chat. */
function kindOf({ kind, endpoint, model }: PlaygroundSearch, models: readonly Model[]): KindId {
  if (isKind(kind)) return kind;
  const first = models.find(({ id }) => id === model);
  const ofModel = first === undefined ? undefined : KIND_IDS.find((id) => KINDS[id].serves(first));
  return placeOf(endpoint)?.kind ?? ofModel ?? 'chat';
}

/** Of a million of each unit together: only to begin with a model that costs little. */
const priceOf = ({ pricing }: Model): number =>
  Object.values(pricing.per_million).reduce((sum, price) => sum + Number(price), 0);

const cheapest = (models: readonly Model[]): readonly Model[] =>
  models.toSorted((one, other) => priceOf(one) - priceOf(other)).slice(0, 1);

function chosenOf({ model }: PlaygroundSearch, served: readonly Model[]): readonly Model[] {
  const ids = model?.split(',') ?? [];
  const chosen = ids.flatMap((id) => served.find((one) => one.id === id || one.aliases.includes(id)) ?? []);
  return chosen.length > 0 ? [...new Set(chosen)] : cheapest(served);
}

const NoModel = () => {
  const { t } = useLingui();
  return (
    <Empty
      title={t`No model of this kind`}
      next={<Trans>This deployment serves none. Choose another kind, or see what it serves.</Trans>}
      action={
        <Link to="/models" className={buttonClasses('plain', 'mt-2')}>
          <Trans>See the models</Trans>
        </Link>
      }
    />
  );
};

function Play({ models }: { readonly models: readonly Model[] }) {
  const { t } = useLingui();
  const search = useSearch({ strict: false }) as PlaygroundSearch;
  const navigate = useNavigate();
  const { account } = useSession();
  const [chosenKey, setChosenKey] = useState<KeyChoice>();
  // Without credit only a test key gets an answer.
  const firstKey = useHasNoCredit() ? 'test' : FIRST_CHOICE;
  const choice = chosenKey ?? firstKey;
  const kind = kindOf(search, models);
  const served = models.filter(KINDS[kind].serves);
  const chosen = chosenOf(search, served);
  const go = (to: PlaygroundSearch) =>
    void navigate({ to: '/playground', search: to as never, replace: true, resetScroll: false });
  const isTest = choice === 'test';
  const wanted = { name: t`Playground`, capUsd: isTest ? '0' : choice, isTest, accountId: account.id };
  const { Bench } = KINDS[kind];
  const prompt = useRouterState({ select: ({ location }) => keptPrompt(location.state) });
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Select
          label={t`Kind`}
          isLabelHidden
          value={kind}
          onValue={(next) => go({ kind: next })}
          choices={KIND_IDS.map((value) => ({ value, label: t(KINDS[value].label) }))}
        />
        <ModelsBar served={served} chosen={chosen} onChoose={(ids) => go({ kind, model: ids.join(',') })} />
      </div>
      <KeyBar choice={choice} onChoice={setChosenKey} accountId={account.id} />
      {chosen.length === 0 ? (
        <NoModel />
      ) : (
        <Bench key={kind} models={chosen} wanted={wanted} dialect={placeOf(search.endpoint)?.dialect} prompt={prompt} />
      )}
    </>
  );
}

/** Every model by hand: what it costs before, while and after it answers. */
export function PlaygroundPage() {
  const { t } = useLingui();
  const { data, error, refetch } = useQuery(modelsQuery);
  return (
    <Page
      title={t`Playground`}
      about={<Trans>Try any model. It is a request like any other: with a key, a receipt and its price.</Trans>}
    >
      <NoCredit />
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton rows={6} />}
      {data !== undefined && <Play models={data.data} />}
    </Page>
  );
}
