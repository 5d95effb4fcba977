import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '../../../parts/button.jsx';
import { CodeBlock } from '../../../parts/code-block.jsx';
import { TextArea } from '../../../parts/field.jsx';
import { parseJson } from '../bench/json.js';
import type { ToolCall, ToolResult } from './conversation.js';

const pretty = (json: string): string => {
  const value = parseJson(json);
  return value === undefined ? json : JSON.stringify(value, undefined, 2);
};

interface ToolCallsProps {
  readonly calls: readonly ToolCall[];
  /** Absent: the calls are answered already, or still coming. */
  readonly onAnswer?: ((results: readonly ToolResult[]) => void) | undefined;
}

/** The functions that the model called. The person answers in their place. */
export function ToolCalls({ calls, onAnswer }: ToolCallsProps) {
  const { t } = useLingui();
  const [answers, setAnswers] = useState<Readonly<Record<string, string>>>({});
  if (calls.length === 0) return null;
  const results = calls.map(({ id, name }) => ({ callId: id, name, content: answers[id] ?? '' }));
  return (
    <div className="flex flex-col gap-3 border-l-2 border-accent pl-3">
      {calls.map(({ id, name, arguments: args }, index) => (
        <div key={id || index} className="flex flex-col gap-2">
          <p>
            <Trans>
              It calls <code className="font-mono">{name}</code>
            </Trans>
          </p>
          <CodeBlock label={t`Arguments of ${name}`} code={pretty(args)} />
          {onAnswer !== undefined && (
            <TextArea
              label={t`Answer of ${name}`}
              value={answers[id] ?? ''}
              onValue={(text) => setAnswers((before) => ({ ...before, [id]: text }))}
            />
          )}
        </div>
      ))}
      {onAnswer !== undefined && (
        <Button
          className="self-start"
          disabled={results.some(({ content }) => content === '')}
          onClick={() => onAnswer(results)}
        >
          <Trans>Send the answers</Trans>
        </Button>
      )}
    </div>
  );
}
