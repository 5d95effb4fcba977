import { useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import type { Model } from '../../../api/models.js';
import { Problem } from '../../../parts/states.jsx';
import type { ApiRequest } from './api-request.js';
import { CodeDialog } from './code-dialog.jsx';
import { Column } from './column.jsx';
import { ComposeBar } from './compose-bar.jsx';
import { hasEnded } from './exchange.js';
import type { Kind } from './kind.js';
import { ensurePlaygroundKey, type KeyWanted, usePlaygroundKey } from './playground-key.js';
import { QuoteLine } from './quote-line.jsx';
import { SettingsPanel } from './settings-panel.jsx';
import { useColumns } from './use-columns.js';
import { quoteFor, useQuotes } from './use-quotes.js';
import { useShortcuts } from './use-shortcuts.js';

interface WorkbenchProps<Draft, Output> {
  readonly kind: Kind<Draft, Output>;
  readonly models: readonly Model[];
  readonly wanted: KeyWanted;
  /** What the address says of the form, such as the format of a request that is tried again. */
  readonly given?: Partial<Draft>;
}

/** Everything that one kind of model needs on the page: state first, then what it shows. */
function useWorkbench<Draft, Output>({ kind, models, wanted, given }: WorkbenchProps<Draft, Output>) {
  const [draft, setDraft] = useState<Draft>({ ...kind.first, ...given });
  const [keyError, setKeyError] = useState<unknown>(null);
  const { columns, send, stop, clear, isRunning } = useColumns(kind);
  const problem = kind.problemOf?.(draft, models);
  const isReady = kind.isReady(draft) && problem === undefined && models.length > 0;
  const requestOf = (model: Model, sent: Draft): ApiRequest =>
    kind.build({ model, draft: sent, history: columns[model.id] ?? [] });
  const requests = isReady ? models.map((model) => requestOf(model, draft)) : [];
  const quotes = useQuotes(requests, isReady && !isRunning && !wanted.isTest);
  const withKey = async (act: (key: string) => void) => {
    setKeyError(null);
    try {
      act((await ensurePlaygroundKey(wanted)).key);
    } catch (error) {
      setKeyError(error);
    }
  };
  const submit = () => {
    if (!isReady || isRunning) return;
    const jobs = models.map((model, index) => ({
      model: model.id,
      draft,
      request: requests[index] as ApiRequest,
      quote: quoteFor(quotes, requests, index),
    }));
    void withKey((key) => {
      for (const job of jobs) send(job, key);
      setDraft(kind.after?.(draft) ?? draft);
    });
  };
  const sendTo = (model: Model) => (sent: Draft) =>
    void withKey((key) => send({ model: model.id, draft: sent, request: requestOf(model, sent), quote: null }, key));
  const change = (changed: Partial<Draft>) => setDraft((before) => ({ ...before, ...changed }));
  return {
    draft,
    change,
    columns,
    problem,
    isReady,
    isRunning,
    requests,
    quotes,
    keyError,
    submit,
    sendTo,
    stop,
    clear,
  };
}

const COLUMNS = ['', 'md:grid-cols-2', 'md:grid-cols-3', 'md:grid-cols-4'] as const;

/** The form, one column for each model, and what it costs. */
export function Workbench<Draft, Output>(props: WorkbenchProps<Draft, Output>) {
  const { kind, models, wanted } = props;
  const { t } = useLingui();
  const bench = useWorkbench(props);
  const [isCodeOpen, setIsCodeOpen] = useState(false);
  const apiKey = usePlaygroundKey(wanted.accountId);
  useShortcuts({ send: bench.submit, stop: bench.stop, isRunning: bench.isRunning });
  const form = { draft: bench.draft, change: bench.change, models };
  const results = (
    <div className={`grid min-w-0 grid-cols-1 gap-4 ${COLUMNS[models.length - 1] ?? ''}`}>
      {models.map((model) => (
        <Column
          key={model.id}
          kind={kind}
          model={model}
          exchanges={bench.columns[model.id] ?? []}
          isAlone={models.length === 1}
          sendTo={bench.sendTo(model)}
        />
      ))}
    </div>
  );
  const compose = (
    <Compose isSticky={kind.isConversation}>
      <kind.Form {...form} />
      {bench.problem !== undefined && <p className="text-warned">{t(bench.problem)}</p>}
      <QuoteLine state={bench.quotes} isTest={wanted.isTest} />
      {bench.keyError !== null && <Problem error={bench.keyError} />}
      <ComposeBar
        isReady={bench.isReady}
        isRunning={bench.isRunning}
        hasResults={Object.values(bench.columns).some((one) => one.length > 0 && one.every(hasEnded))}
        onSend={bench.submit}
        onStop={bench.stop}
        onClear={bench.clear}
        onCode={() => setIsCodeOpen(true)}
      />
    </Compose>
  );
  return (
    <div className="flex flex-col gap-6 lg:flex-row lg:items-start">
      <div className="flex min-w-0 flex-1 flex-col gap-6">
        {kind.isConversation ? [results, compose] : [compose, results]}
      </div>
      {kind.Settings !== undefined && (
        <SettingsPanel>
          <kind.Settings {...form} />
        </SettingsPanel>
      )}
      <CodeDialog
        isOpen={isCodeOpen}
        onClose={() => setIsCodeOpen(false)}
        requests={bench.requests.map((request, index) => ({ request, model: models[index]?.id ?? '' }))}
        apiKey={apiKey?.key}
      />
    </div>
  );
}

const Compose = ({ isSticky, children }: { readonly isSticky: boolean; readonly children: ReactNode }) => (
  <section className={`flex flex-col gap-3 ${isSticky ? 'sticky bottom-0 border-t bg-ground pt-4 pb-4' : ''}`}>
    {children}
  </section>
);
