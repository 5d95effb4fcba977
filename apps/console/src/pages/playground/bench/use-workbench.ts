import { useMemo, useRef, useState } from 'react';
import type { Model } from '../../../api/models.js';
import type { ApiRequest } from './api-request.js';
import { codeOf } from './code-of.js';
import type { ChangeDraft, Kind } from './kind.js';
import { ensurePlaygroundKey, type KeyWanted } from './playground-key.js';
import { useColumns } from './use-columns.js';
import { quoteFor, useQuotes } from './use-quotes.js';

export interface WorkbenchProps<Draft, Output> {
  readonly kind: Kind<Draft, Output>;
  readonly models: readonly Model[];
  readonly wanted: KeyWanted;
  /** What the address says of the form, such as the format of a request that is tried again. */
  readonly given?: Partial<Draft>;
}

const NO_REQUESTS: readonly ApiRequest[] = [];

/** Acts with the playground's key, and keeps the reason if there is none. */
function useKey(wanted: KeyWanted) {
  const [keyError, setKeyError] = useState<unknown>(null);
  const isAsking = useRef(false);
  const withKey = async (act: (key: string) => void): Promise<void> => {
    // A second press while the key is made would send, and cost, the same again.
    if (isAsking.current) return;
    isAsking.current = true;
    setKeyError(null);
    try {
      act((await ensurePlaygroundKey(wanted)).key);
    } catch (error) {
      setKeyError(error);
    } finally {
      isAsking.current = false;
    }
  };
  return { keyError, withKey };
}

/** The form, what it would send and cost, and what was sent. */
export function useWorkbench<Draft, Output>({ kind, models, wanted, given }: WorkbenchProps<Draft, Output>) {
  const [draft, setDraft] = useState<Draft>({ ...kind.first, ...given });
  const { keyError, withKey } = useKey(wanted);
  const { columns, send, stop, clear, isRunning, hasRunning } = useColumns(kind);
  const problem = kind.problemOf?.(draft, models);
  const isReady = kind.isReady(draft) && problem === undefined && models.length > 0;
  const requestOf = (model: Model, sent: Draft): ApiRequest =>
    kind.build({ model, draft: sent, history: columns[model.id] ?? [] });
  const requests = useMemo(
    () =>
      isReady ? models.map((model) => kind.build({ model, draft, history: columns[model.id] ?? [] })) : NO_REQUESTS,
    [kind, isReady, models, draft, columns],
  );
  const quotes = useQuotes(requests, isReady && !isRunning && !wanted.isTest);
  const submit = () => {
    if (!isReady || hasRunning()) return;
    const jobs = requests.map((request, index) => ({
      model: models[index]?.id ?? '',
      draft,
      request,
      quote: quoteFor(quotes, requests, index),
    }));
    void withKey((key) => {
      for (const job of jobs) send(job, key);
      // What was written while the key was made stays.
      setDraft((before) => (before === draft ? (kind.after?.(draft) ?? draft) : before));
    });
  };
  /** Sends a draft to one model alone. */
  const sendTo = (model: Model) => (sent: Draft) =>
    void withKey((key) => send({ model: model.id, draft: sent, request: requestOf(model, sent), quote: null }, key));
  const change: ChangeDraft<Draft> = (changed) =>
    setDraft((before) => ({ ...before, ...(typeof changed === 'function' ? changed(before) : changed) }));
  const form = { draft, change, models };
  const code = codeOf(models, requests, columns);
  return { form, columns, problem, isReady, isRunning, code, quotes, keyError, submit, sendTo, stop, clear };
}

export type Bench<Draft, Output> = ReturnType<typeof useWorkbench<Draft, Output>>;
