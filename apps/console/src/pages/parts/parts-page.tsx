import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '../../parts/button.jsx';
import { CodeBlock } from '../../parts/code-block.jsx';
import { TextArea, TextField } from '../../parts/field.jsx';
import { Amount } from '../../parts/figures.jsx';
import { Page, Section } from '../../parts/page.jsx';
import { Select } from '../../parts/select.jsx';
import { Empty, Problem, Skeleton } from '../../parts/states.jsx';
import { Status, Tag } from '../../parts/status.jsx';
import { Switch } from '../../parts/switch.jsx';

const COLOURS = [
  'ground',
  'surface',
  'sunken',
  'hover',
  'line',
  'line-strong',
  'control',
  'text',
  'muted',
  'faint',
  'ink',
  'accent',
  'accent-wash',
  'running',
  'succeeded',
  'failed',
  'warned',
  'money-in',
  'money-out',
];

const Colours = () => (
  <ul className="grid grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] gap-3">
    {COLOURS.map((name) => (
      <li key={name} className="flex items-center gap-2">
        <span className="size-8 rounded-control border" style={{ background: `var(--color-${name})` }} />
        <code className="font-mono text-small">{name}</code>
      </li>
    ))}
  </ul>
);

function Controls() {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const [choice, setChoice] = useState<'a' | 'b'>('a');
  const [isOn, setIsOn] = useState(true);
  return (
    <div className="flex max-w-96 flex-col gap-4">
      <div className="flex flex-wrap gap-2">
        <Button kind="filled">{t`Filled`}</Button>
        <Button>{t`Plain`}</Button>
        <Button kind="quiet">{t`Quiet`}</Button>
        <Button kind="danger">{t`Danger`}</Button>
        <Button disabled>{t`Disabled`}</Button>
      </div>
      <TextField label={t`Text`} hint={t`A hint below the field.`} value={text} onValue={setText} />
      <TextField label={t`Wrong text`} problem={t`must be an email address`} value="me@" onValue={() => undefined} />
      <TextArea label={t`Long text`} value={text} onValue={setText} />
      <Select
        label={t`Choice`}
        value={choice}
        onValue={setChoice}
        choices={[
          { value: 'a', label: t`The first` },
          { value: 'b', label: t`The second` },
        ]}
      />
      <Switch label={t`A switch`} hint={t`What it does.`} isOn={isOn} onChange={setIsOn} />
    </div>
  );
}

/** Every part of the design on one page, to look at in both themes. */
export function PartsPage() {
  const { t } = useLingui();
  return (
    <Page
      title={t`Parts`}
      about={t`Every part of the design.`}
      action={<Button kind="filled">{t`The one action`}</Button>}
    >
      <Section title={t`Colours`}>
        <Colours />
      </Section>
      <Section title={t({ message: 'Type', context: 'letters' })}>
        <p className="font-semibold text-figure">$1,234.56</p>
        <p className="font-semibold text-title">{t`Title`}</p>
        <p className="text-large">{t`Large`}</p>
        <p>{t`Base`}</p>
        <p className="text-muted text-small">{t`Small`}</p>
        <p className="font-mono">req_01k9x3</p>
      </Section>
      <Section title={t`Controls`}>
        <Controls />
      </Section>
      <Section title={t`Meanings`}>
        <div className="flex flex-wrap gap-4">
          <Status meaning="running">{t`Running`}</Status>
          <Status meaning="succeeded">{t`Succeeded`}</Status>
          <Status meaning="failed">{t`Failed`}</Status>
          <Status meaning="warned">{t`Warned`}</Status>
          <Status meaning="waiting">{t`Waiting`}</Status>
          <Status meaning="ended">{t`Ended`}</Status>
          <Tag>{t`test`}</Tag>
          <Amount usd="0.001234567" className="text-money-in" />
          <Amount usd="-12.5" isExact className="text-money-out" />
        </div>
      </Section>
      <Section title={t`States`}>
        <Empty title={t`Nothing here`} next={t`What to do next.`} />
        <Problem error={new Error()} onRetry={() => undefined} />
        <Skeleton />
        <CodeBlock label={t`Code`} code="curl https://example.com" />
      </Section>
    </Page>
  );
}
