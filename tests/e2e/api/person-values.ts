import { randomUUID } from 'node:crypto';
import { type Customer, eventually, type TestStack } from '@gateway/testing';
import { callAccount, invitationCode, joinAs, mailCode, newAddress, PASSWORD } from './join-organisation.js';
import type { ExampleValues } from './send-example.js';

type Json = Readonly<Record<string, unknown>>;

interface OpenedSession {
  readonly token: string;
  readonly account: { readonly id: string };
}

/** Makes people for the examples that end a session, use up the code of a mail or change a member. */
export class PersonValues {
  constructor(
    private readonly stack: TestStack,
    private readonly customer: Customer,
  ) {}

  #call<Answer>(path: string, call: Parameters<typeof callAccount>[2] = {}): Promise<Answer> {
    return callAccount<Answer>(this.stack, path, call);
  }

  #register(organisation: string, email = newAddress()): Promise<OpenedSession> {
    return this.#call('/account/register', { body: { email, password: PASSWORD, organisation } });
  }

  async #resetCode(): Promise<string> {
    const email = newAddress();
    await this.#register('Forgetful Engines', email);
    await this.#call('/account/password-resets', { body: { email } });
    return mailCode(this.stack, 'reset', email);
  }

  async #confirmationCode(): Promise<string> {
    const email = newAddress();
    const { token } = await this.#register('New Engines', email);
    await this.#call('/account/person/confirmation', { token, body: {} });
    return mailCode(this.stack, 'confirm', email);
  }

  /** A person who has joined the organisation of the customer. */
  async #member(): Promise<{ readonly id: string; readonly token: string }> {
    const email = newAddress();
    const token = await joinAs(this.stack, this.customer, 'viewer', email);
    const { data } = await this.#call<{ data: Json[] }>('/account/members', { token: this.customer.token });
    return { id: String(data.find((member) => member.email === email)?.id), token };
  }

  /** Another session of the customer. */
  async #sessionId(): Promise<string> {
    const { email, password, token } = this.customer;
    await this.#call('/account/login', { body: { email, password } });
    const { data } = await this.#call<{ data: Json[] }>('/account/sessions', { token });
    return String(data.find((session) => session.is_current === false)?.id);
  }

  /** A request whose prompt and answer are kept. */
  async #keptContentsId(): Promise<string> {
    const { key } = await this.customer.newKey({ keep_contents: true });
    const response = await fetch(`${this.stack.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gm-2.5-flash', messages: [{ role: 'user', content: 'Say hello' }] }),
    });
    const id = String(response.headers.get('x-request-id'));
    await response.text();
    await eventually(() => this.#call(`/account/requests/${id}/contents`, { token: this.customer.token }));
    return id;
  }

  async #administratorId(): Promise<string> {
    const call = { token: this.stack.system.adminToken, body: { name: `Ann ${randomUUID()}` } };
    return String((await this.#call<Json>('/admin/administrators', call)).id);
  }

  async make(): Promise<ExampleValues> {
    const [leaving, reset, confirmation, invitation, member] = await Promise.all([
      this.#register('Left Engines'),
      this.#resetCode(),
      this.#confirmationCode(),
      invitationCode(this.stack, this.customer, { email: newAddress(), role: 'viewer' }),
      this.#member(),
    ]);
    return {
      'account.changePassword/credential': leaving.token,
      'sessions.endOthers/credential': leaving.token,
      'organisations.delete/credential': leaving.token,
      leftAccountId: leaving.account.id,
      'passwordResets.complete/mailCode': reset,
      'confirmations.create/mailCode': confirmation,
      'invitations.find/mailCode': invitation,
      'invitations.accept/mailCode': invitation,
      'person.changeEmail/credential': member.token,
      memberId: member.id,
      sessionId: await this.#sessionId(),
      keptContentsId: await this.#keptContentsId(),
      administratorId: await this.#administratorId(),
    };
  }
}
