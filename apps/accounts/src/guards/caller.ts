import type { AccountRecord, MemberRecord, PersonRecord } from '@gateway/postgres';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { KeyHolder } from '../sessions/sessions.service.js';

interface SignedIn {
  readonly person: PersonRecord;
  readonly sessionId: string;
  readonly tokenSha256: string;
}

/** The identity that a guard has verified. An administrator has no account. */
export type Caller =
  | { readonly kind: 'administrator'; readonly name: string | null }
  /** A person for whom it does not matter which organisation the session has chosen. */
  | (SignedIn & {
      readonly kind: 'person';
      readonly account: AccountRecord | null;
      readonly member: MemberRecord | null;
    })
  /** A person as a member of the organisation that the session has chosen. */
  | (SignedIn & {
      readonly kind: 'session';
      readonly account: AccountRecord;
      readonly member: MemberRecord;
      /** The administrator who reads the account as its viewer; undefined: a member. */
      readonly viewedBy?: string;
    })
  | ({ readonly kind: 'key' } & KeyHolder);

export type PersonCaller = Extract<Caller, { kind: 'person' }>;
export type SessionCaller = Extract<Caller, { kind: 'session' }>;
/** A caller who reads an account: the session of a member, or one of its API keys. */
export type AccountCaller = Extract<Caller, { kind: 'session' | 'key' }>;

/** Test keys see only the data of test keys. */
export const isTestCaller = (caller: AccountCaller): boolean => caller.kind === 'key' && caller.key.isTest;

/** A key reads its own requests. With the scope `account:read` it reads all of the account. */
export const mayReadAccount = (caller: AccountCaller): boolean =>
  caller.kind === 'session' || caller.key.scopes.includes('account:read');

/** The holder of `ADMIN_TOKEN`, who has no other name. */
const BOOTSTRAP_ADMINISTRATOR = 'administrator';

/** A weak map needs no cast, and no client can set what it holds. */
const callers = new WeakMap<FastifyRequest, Caller>();

export const setVerifiedCaller = (request: FastifyRequest, caller: Caller): void => {
  callers.set(request, caller);
};

/** Undefined on a public route: no guard has verified the caller. */
export const verifiedCallerOf = (request: FastifyRequest): Caller | undefined => callers.get(request);

/** Whom the code of a mail has proved, on routes without a session. */
const proved = new WeakMap<FastifyRequest, string>();

export const setProvedPerson = (request: FastifyRequest, personId: string): void => {
  proved.set(request, personId);
};

export const provedPersonOf = (request: FastifyRequest): string | undefined => proved.get(request);

const requestOf = (context: ExecutionContext): FastifyRequest => context.switchToHttp().getRequest<FastifyRequest>();

/** Throws if no guard of the route verifies people: a bug in the route. */
function requirePersonCaller(request: FastifyRequest): PersonCaller {
  const caller = verifiedCallerOf(request);
  if (caller?.kind === 'person') return caller;
  throw new Error('the route must have PersonGuard: no person was verified');
}

/** Throws if no guard of the route verifies sessions: a bug in the route. */
export function requireSessionCaller(request: FastifyRequest): SessionCaller {
  const caller = verifiedCallerOf(request);
  if (caller?.kind === 'session') return caller;
  throw new Error('the route must have SessionGuard: no session was verified');
}

export function requireAccountCaller(request: FastifyRequest): AccountCaller {
  const caller = verifiedCallerOf(request);
  if (caller?.kind === 'session' || caller?.kind === 'key') return caller;
  throw new Error('the route must have SessionGuard or KeyGuard: no account was verified');
}

/** Parameter: the account of the session or of the API key. */
export const CallerAccount = createParamDecorator(
  (_: unknown, context: ExecutionContext): AccountRecord => requireAccountCaller(requestOf(context)).account,
);

/** Parameter: the caller with the session or the API key. */
export const AuthenticatedCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): AccountCaller => requireAccountCaller(requestOf(context)),
);

/** Parameter: the context of the route, to ask a guard again while a response is running. */
export const RouteContext = createParamDecorator((_: unknown, context: ExecutionContext): ExecutionContext => context);

/** Parameter: the member with the session. */
export const CallerSession = createParamDecorator(
  (_: unknown, context: ExecutionContext): SessionCaller => requireSessionCaller(requestOf(context)),
);

/** Parameter: the person with the session, of whatever organisation. */
export const CallerPerson = createParamDecorator(
  (_: unknown, context: ExecutionContext): PersonCaller => requirePersonCaller(requestOf(context)),
);

/** Parameter: the name of the administrator. */
export const CallerAdministrator = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const caller = verifiedCallerOf(requestOf(context));
  if (caller?.kind !== 'administrator')
    throw new Error('the route must have AdminGuard: no administrator was verified');
  return caller.name ?? BOOTSTRAP_ADMINISTRATOR;
});
