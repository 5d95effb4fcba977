import { Trans, useLingui } from '@lingui/react/macro';
import { Plus } from 'lucide-react';
import { randomId } from '../../../api/random-id.js';
import { Button } from '../../../parts/button.jsx';
import { TextArea, TextField } from '../../../parts/field.jsx';
import { schemaOf, type ToolDraft } from './draft.js';

const EXAMPLE = {
  name: 'get_weather',
  description: 'The weather of a city now',
  parameters: JSON.stringify(
    { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    undefined,
    2,
  ),
};

interface ToolsEditorProps {
  readonly tools: readonly ToolDraft[];
  readonly onChange: (tools: readonly ToolDraft[]) => void;
}

interface ToolProps {
  readonly tool: ToolDraft;
  readonly onChange: (change: Partial<ToolDraft>) => void;
  readonly onRemove: () => void;
}

function Tool({ tool, onChange, onRemove }: ToolProps) {
  const { t } = useLingui();
  return (
    <fieldset className="flex flex-col gap-3 border-l-2 pl-3">
      <legend className="sr-only">{tool.name}</legend>
      <TextField label={t`Function`} value={tool.name} onValue={(name) => onChange({ name })} className="font-mono" />
      <TextField
        label={t`What it does`}
        value={tool.description}
        onValue={(description) => onChange({ description })}
      />
      <TextArea
        label={t`Arguments, as a JSON schema`}
        rows={6}
        value={tool.parameters}
        onValue={(parameters) => onChange({ parameters })}
        problem={schemaOf(tool) === undefined ? t`must be a JSON object` : undefined}
        className="font-mono text-small"
      />
      <Button kind="quiet" className="self-start" onClick={onRemove}>
        <Trans>Remove the function</Trans>
      </Button>
    </fieldset>
  );
}

/** Functions that the model may call. The page shows each call, and the person answers it. */
export function ToolsEditor({ tools, onChange }: ToolsEditorProps) {
  const add = () => onChange([...tools, { id: randomId(), ...EXAMPLE }]);
  return (
    <div className="flex flex-col gap-4">
      {tools.map((tool) => (
        <Tool
          key={tool.id}
          tool={tool}
          onChange={(change) => onChange(tools.map((one) => (one.id === tool.id ? { ...one, ...change } : one)))}
          onRemove={() => onChange(tools.filter(({ id }) => id !== tool.id))}
        />
      ))}
      <Button className="self-start" onClick={add}>
        <Plus aria-hidden />
        <Trans>Add a function</Trans>
      </Button>
    </div>
  );
}
