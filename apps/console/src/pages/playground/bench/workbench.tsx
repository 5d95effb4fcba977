import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Problem } from '../../../parts/states.jsx';
import { CodeDialog } from './code-dialog.jsx';
import { Column } from './column.jsx';
import { Comparison } from './comparison.jsx';
import { ComposeBar } from './compose-bar.jsx';
import { Examples } from './examples.jsx';
import { usePlaygroundKey } from './playground-key.js';
import { QuoteLine } from './quote-line.jsx';
import { SettingsPanel } from './settings-panel.jsx';
import { useFollowEnd } from './use-follow-end.js';
import { useShortcuts } from './use-shortcuts.js';
import { type Bench, useWorkbench, type WorkbenchProps } from './use-workbench.js';

type PartProps<Draft, Output> = WorkbenchProps<Draft, Output> & { readonly bench: Bench<Draft, Output> };

/** By the number of models, and by the width of the place rather than of the window: a column stays readable. */
const COLUMNS = ['', '@lg:grid-cols-2', '@3xl:grid-cols-3', '@lg:grid-cols-2 @5xl:grid-cols-4'] as const;

const Results = <Draft, Output>({ kind, models, bench }: PartProps<Draft, Output>) => (
  <div className="@container min-w-0">
    <div className={`grid grid-cols-1 gap-4 ${COLUMNS[models.length - 1] ?? ''}`}>
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
  </div>
);

/** The form, its quote and its buttons. In a conversation it stays at the lower end of the window. */
function Composer<Draft, Output>(props: PartProps<Draft, Output> & { readonly onCode: () => void }) {
  const { kind, wanted, bench, onCode } = props;
  const { t } = useLingui();
  const { form, problem, quotes, keyError, isReady, isRunning } = bench;
  const isSticky = kind.isConversation;
  const actions = (
    <ComposeBar
      isReady={isReady}
      hasCode={bench.code !== null}
      isRunning={isRunning}
      hasResults={!isRunning && Object.values(bench.columns).some((exchanges) => exchanges.length > 0)}
      onSend={bench.submit}
      onStop={bench.stop}
      onClear={bench.clear}
      onCode={onCode}
    />
  );
  return (
    <section className={`flex flex-col gap-3 ${isSticky ? 'sticky bottom-0 border-t bg-ground pt-3 pb-3' : ''}`}>
      <kind.Form {...form} actions={isSticky ? actions : undefined} />
      {problem !== undefined && <p className="text-warned">{t(problem)}</p>}
      <QuoteLine state={quotes} isTest={wanted.isTest} />
      {keyError !== null && <Problem error={keyError} />}
      {!isSticky && actions}
    </section>
  );
}

/** The form, one column for each model, and what it costs. */
export function Workbench<Draft, Output>(props: WorkbenchProps<Draft, Output>) {
  const { kind, models, wanted } = props;
  const bench = useWorkbench(props);
  const [isCodeOpen, setIsCodeOpen] = useState(false);
  const apiKey = usePlaygroundKey(wanted.accountId);
  const isEmpty = Object.values(bench.columns).every((exchanges) => exchanges.length === 0);
  // Before the first message a page that is taller than the window begins at its title.
  const page = useFollowEnd(kind.isConversation && !isEmpty, bench.isRunning);
  useShortcuts({ send: bench.submit, stop: bench.stop, isRunning: bench.isRunning });
  const examples = isEmpty ? <Examples key="examples" kind={kind} change={bench.form.change} /> : null;
  const comparison = <Comparison key="comparison" models={models} columns={bench.columns} />;
  const results = <Results key="results" {...props} bench={bench} />;
  const composer = <Composer key="composer" {...props} bench={bench} onCode={() => setIsCodeOpen(true)} />;
  return (
    <div className="flex flex-col gap-6 lg:flex-row lg:items-start">
      <div ref={page} className="flex min-w-0 flex-1 flex-col gap-6">
        {kind.isConversation ? [examples, results, comparison, composer] : [composer, examples, comparison, results]}
      </div>
      {kind.Settings !== undefined && (
        <SettingsPanel>
          <kind.Settings {...bench.form} />
        </SettingsPanel>
      )}
      <CodeDialog isOpen={isCodeOpen} onClose={() => setIsCodeOpen(false)} code={bench.code} apiKey={apiKey?.key} />
    </div>
  );
}
