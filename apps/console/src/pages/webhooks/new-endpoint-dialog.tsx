import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { post } from '../../api/call.js';
import type { WebhookEndpoint } from '../../api/webhooks.js';
import { Button } from '../../parts/button.jsx';
import { Dialog, DialogActions } from '../../parts/dialog.jsx';
import { TextField } from '../../parts/field.jsx';
import { submitting, useForm } from '../../parts/form.js';
import { FormActions } from '../../parts/form-actions.jsx';
import { FormProblem } from '../../parts/form-problem.jsx';
import { SecretText } from '../../parts/secret-text.jsx';
import { Switch } from '../../parts/switch.jsx';
import type { Events } from './chosen-events.js';
import { EndpointFields } from './endpoint-fields.jsx';

interface DialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function EndpointForm({
  onMade,
  onClose,
}: {
  readonly onMade: (made: WebhookEndpoint) => void;
  readonly onClose: () => void;
}) {
  const { t } = useLingui();
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [events, setEvents] = useState<Events>(null);
  const [isTest, setIsTest] = useState(false);
  const form = useForm(
    ['url', 'description', 'events'],
    () =>
      post<WebhookEndpoint>('/account/webhook-endpoints', {
        url,
        events,
        test: isTest,
        ...(description !== '' && { description }),
      }),
    onMade,
  );
  return (
    <form onSubmit={submitting(form.send)} className="flex flex-col gap-4">
      <TextField
        label={t`Address`}
        type="url"
        placeholder="https://example.com/webhooks"
        autoFocus
        value={url}
        onValue={setUrl}
        problem={form.problemOf('url')}
      />
      <EndpointFields
        description={description}
        onDescription={setDescription}
        events={events}
        onEvents={setEvents}
        problemOf={form.problemOf}
      />
      <Switch
        label={t`Events of test keys`}
        hint={t`Otherwise those of all other keys.`}
        isOn={isTest}
        onChange={setIsTest}
      />
      <FormProblem form={form} />
      <FormActions onClose={onClose} isBusy={form.isBusy}>
        <Trans>Add endpoint</Trans>
      </FormActions>
    </form>
  );
}

/** Adds an endpoint. The first one brings the signing secret, which is shown once. */
export function NewEndpointDialog({ isOpen, onClose }: DialogProps) {
  const { t } = useLingui();
  const [secret, setSecret] = useState<string | null>(null);
  const close = () => {
    setSecret(null);
    onClose();
  };
  return (
    <Dialog
      isOpen={isOpen || secret !== null}
      onClose={close}
      title={secret === null ? t`New endpoint` : t`Your signing secret`}
      isShownOnce={secret !== null}
    >
      {secret === null ? (
        <EndpointForm
          onClose={close}
          onMade={(made) => (made.secret === undefined ? close() : setSecret(made.secret))}
        />
      ) : (
        <div className="flex flex-col gap-3">
          <p>
            <Trans>Every delivery is signed with it. Copy it now: it is not shown again.</Trans>
          </p>
          <SecretText text={secret} copyLabel={t`Copy the secret`} />
          <DialogActions>
            <Button kind="filled" onClick={close}>
              <Trans>Done</Trans>
            </Button>
          </DialogActions>
        </div>
      )}
    </Dialog>
  );
}
