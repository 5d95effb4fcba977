import { useLingui } from '@lingui/react/macro';
import { TextArea, TextField } from '../../../parts/field.jsx';
import { Select } from '../../../parts/select.jsx';
import type { FormProps } from '../bench/kind.js';
import { DIALECT_IDS } from './conversation.js';
import { DIALECTS, servesDialect } from './dialects.js';
import type { ChatDraft } from './draft.js';
import { ToolsEditor } from './tools-editor.jsx';

const DEFAULT = 'default';

/** The efforts that every chosen model has. */
const effortsOf = ({ models }: Pick<FormProps<ChatDraft>, 'models'>): readonly string[] =>
  (models[0]?.capabilities.chat?.efforts ?? []).filter((effort) =>
    models.every(({ capabilities }) => capabilities.chat?.efforts.includes(effort)),
  );

function Numbers({ draft, change, models }: FormProps<ChatDraft>) {
  const { t } = useLingui();
  const isFixed = models.every(({ capabilities }) => capabilities.chat?.temperature_max === null);
  const usual = t`the model's own`;
  return (
    <>
      <TextField
        label={t`Longest answer, tokens`}
        inputMode="numeric"
        placeholder={usual}
        value={draft.maxTokens}
        onValue={(maxTokens) => change({ maxTokens: maxTokens.replace(/\D/g, '') })}
      />
      {!isFixed && (
        <TextField
          label={t`Temperature`}
          inputMode="decimal"
          placeholder={usual}
          value={draft.temperature}
          onValue={(temperature) => change({ temperature: temperature.replace(/[^\d.]/g, '') })}
        />
      )}
    </>
  );
}

/** The format, the instructions, the parameters and the functions of a chat. */
export function ChatSettingsForm({ draft, change, models }: FormProps<ChatDraft>) {
  const { t } = useLingui();
  const efforts = effortsOf({ models });
  const served = DIALECT_IDS.filter((id) => models.every((model) => servesDialect(model, id)));
  return (
    <>
      <Select
        label={t`Format`}
        value={draft.dialect}
        onValue={(dialect) => change({ dialect })}
        choices={served.map((value) => ({ value, label: DIALECTS[value].label }))}
        className="w-full"
      />
      <TextArea
        label={t`Instructions`}
        placeholder={t`What holds for the whole conversation`}
        value={draft.system}
        onValue={(system) => change({ system })}
      />
      {efforts.length > 0 && (
        <Select
          label={t`Thinking`}
          value={draft.effort === '' ? DEFAULT : draft.effort}
          onValue={(effort) => change({ effort: effort === DEFAULT ? '' : effort })}
          choices={[
            { value: DEFAULT, label: t`The model's own` },
            ...efforts.map((value) => ({ value, label: value })),
          ]}
          className="w-full"
        />
      )}
      <Numbers draft={draft} change={change} models={models} />
      <ToolsEditor tools={draft.tools} onChange={(tools) => change({ tools })} />
    </>
  );
}
