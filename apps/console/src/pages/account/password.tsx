import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { post } from '../../api/call.js';
import { Button } from '../../parts/button.jsx';
import { TextField } from '../../parts/field.jsx';
import { submitting, useForm } from '../../parts/form.js';
import { FormProblem } from '../../parts/form-problem.jsx';
import { Section } from '../../parts/page.jsx';
import { useToast } from '../../parts/toasts.jsx';

export function Password() {
  const { t } = useLingui();
  const toast = useToast();
  const [now, setNow] = useState('');
  const [next, setNext] = useState('');
  const form = useForm(
    ['password', 'new_password'],
    () => post('/account/password', { password: now, new_password: next }),
    () => {
      setNow('');
      setNext('');
      toast({ title: t`The password is changed`, description: t`Every other session has ended.` });
    },
  );
  return (
    <Section title={t`Password`} about={<Trans>A new one ends every other session. Keys stay.</Trans>}>
      <form onSubmit={submitting(form.send)} className="flex max-w-80 flex-col gap-4">
        <TextField
          label={t`Current password`}
          type="password"
          autoComplete="current-password"
          value={now}
          onValue={setNow}
          problem={form.problemOf('password')}
        />
        <TextField
          label={t`New password`}
          type="password"
          autoComplete="new-password"
          value={next}
          onValue={setNext}
          problem={form.problemOf('new_password')}
        />
        <FormProblem form={form} />
        <Button type="submit" className="self-start" isBusy={form.isBusy}>
          <Trans>Change password</Trans>
        </Button>
      </form>
    </Section>
  );
}
