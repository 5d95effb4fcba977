import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { post } from '../../api/call.js';
import { chooseOrganisation } from '../../api/people.js';
import { Entry } from '../../frame/entry.jsx';
import { Button } from '../../parts/button.jsx';
import { useForm } from '../../parts/form.js';
import { FormProblem } from '../../parts/form-problem.jsx';
import { type JoinProps, OfferWords, SignedInAsAnother } from './offer-words.jsx';

interface Joined {
  readonly account: { readonly id: string };
}

/** The address has a login: the person joins, and works in the organisation at once or after the sign-in. */
export function JoinAsKnown({ token, offer, signedInAs }: JoinProps) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const isSignedIn = signedInAs === offer.email;
  const form = useForm(
    [],
    async () => {
      const joined = await post<Joined>('/account/invitations/accept', { token });
      if (isSignedIn) await chooseOrganisation(joined.account.id);
      else if (signedInAs !== null) await post('/account/logout');
    },
    async () => {
      queries.clear();
      if (isSignedIn) await navigate({ to: '/' });
      else await navigate({ to: '/sign-in', search: { email: offer.email, joined: offer.organisation } as never });
    },
  );
  return (
    <Entry title={t`Join ${offer.organisation}`} onSubmit={form.send}>
      <OfferWords offer={offer} />
      <SignedInAsAnother offer={offer} signedInAs={signedInAs} />
      <FormProblem form={form} />
      <Button kind="filled" type="submit" isBusy={form.isBusy}>
        <Trans>Join</Trans>
      </Button>
    </Entry>
  );
}
