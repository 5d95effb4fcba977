import { randomUUID } from 'node:crypto';
import type { MemberRole } from '@gateway/contracts';
import type { Customer, TestStack } from '@gateway/testing';
import { mailLink } from '../console/mail-links.js';

interface Call {
  readonly token?: string;
  readonly body?: object;
}

/** The password of every person here, as the examples say. */
export const PASSWORD = 'correct horse battery';

export const newAddress = (): string => `${randomUUID()}@example.com`;

/** Calls the account address. Throws for a refusal. */
export async function callAccount<Answer>(stack: TestStack, path: string, { token, body }: Call = {}): Promise<Answer> {
  const response = await fetch(`${stack.system.accountUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

/** The code of a mail. */
export async function mailCode(stack: TestStack, kind: string, email: string): Promise<string> {
  const link = await mailLink(stack, kind, email);
  return new URL(link, stack.system.accountUrl).searchParams.get('token') ?? '';
}

export async function invitationCode(
  stack: TestStack,
  { token }: Pick<Customer, 'token'>,
  invited: { readonly email: string; readonly role: MemberRole },
): Promise<string> {
  await callAccount(stack, '/account/invitations', { token, body: invited });
  return mailCode(stack, 'invitation', invited.email);
}

/** The session of a person who has joined the organisation of the customer. */
export async function joinAs(
  stack: TestStack,
  customer: Pick<Customer, 'token'>,
  role: MemberRole,
  email = newAddress(),
): Promise<string> {
  const body = { token: await invitationCode(stack, customer, { email, role }), password: PASSWORD };
  return (await callAccount<{ readonly token: string }>(stack, '/account/invitations/accept', { body })).token;
}
