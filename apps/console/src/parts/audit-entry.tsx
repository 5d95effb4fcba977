import { useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import type { AuditEntry } from '../api/operators.js';
import { useRoleWords } from './role-words.js';
import { Status } from './status.jsx';

/** Who did something: the kinds of actors in words, and the name of the one of an entry. */
export function useActors() {
  const { t } = useLingui();
  return useMemo(() => {
    const words: Readonly<Record<string, string>> = {
      person: t`Person`,
      administrator: t`Administrator`,
      key: t`API key`,
      nobody: t`Without a session`,
    };
    const nameOf = (entry: AuditEntry): string =>
      entry.administrator ?? entry.person?.name ?? words[entry.actor] ?? entry.actor;
    return { words, nameOf };
  }, [t]);
}

/** Who did it, with the role at that time. */
export function AuditActor({ entry }: { readonly entry: AuditEntry }) {
  const { nameOf } = useActors();
  // A role of another release has no words.
  const roles: Readonly<Record<string, { readonly name: string }>> = useRoleWords();
  const role = entry.person?.role;
  return (
    <span>
      <bdi>{nameOf(entry)}</bdi> <span className="text-muted">{role != null && (roles[role]?.name ?? role)}</span>
    </span>
  );
}

interface AuditResultProps {
  readonly entry: AuditEntry;
  /** True: only the icon on a narrow screen. */
  readonly isShort?: boolean;
}

/** Without a status the action is under way, or its process died. */
export function AuditResult({ entry, isShort = false }: AuditResultProps) {
  const { t } = useLingui();
  if (entry.status === null) return <Status meaning="waiting" isShort={isShort}>{t`no result`}</Status>;
  const isDone = entry.status < 400;
  return (
    <Status meaning={isDone ? 'succeeded' : 'failed'} isShort={isShort}>
      {isDone ? t`done` : (entry.error_code ?? entry.status)}
    </Status>
  );
}
