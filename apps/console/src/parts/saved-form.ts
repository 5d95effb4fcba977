import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useForm } from './form.js';
import { useToast } from './toasts.jsx';

interface SavedForm<Saved, Draft> {
  readonly fields: readonly string[];
  readonly value: Saved;
  readonly draftOf: (value: Saved) => Draft;
  /** Sends what differs from what was saved. */
  readonly send: (saved: Draft, draft: Draft) => Promise<Saved>;
}

/**
 * A form of what the server keeps. `saved` is what the person began with: a state that arrives later must not count as a
 * change of this form.
 */
export function useSavedForm<Saved, Draft>({ fields, value, draftOf, send }: SavedForm<Saved, Draft>) {
  const { t } = useLingui();
  const toast = useToast();
  const [saved, setSaved] = useState(() => draftOf(value));
  const [draft, setDraft] = useState(saved);
  const form = useForm(
    fields,
    () => send(saved, draft),
    (changed: Saved) => {
      setSaved(draftOf(changed));
      setDraft(draftOf(changed));
      toast({ title: t`Saved` });
    },
  );
  return { form, draft, setDraft };
}
