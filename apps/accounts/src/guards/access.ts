import type { MemberRole } from '@gateway/contracts';
import { applyDecorators, UseGuards, UseInterceptors } from '@nestjs/common';
import { AccountReadGuard } from './account-read.guard.js';
import { ActiveAccountInterceptor } from './active-account.interceptor.js';
import { AdminGuard } from './admin.guard.js';
import { KeyGuard } from './key.guard.js';
import { LeastRole } from './least-role.js';
import { PersonGuard } from './person.guard.js';
import { SessionGuard } from './session.guard.js';

/*
 * The callers of a route. Each handler (or its controller) has exactly one of these decorators, or is in
 * `public-routes.ts`. Otherwise the service does not start. `least`: the role that a member needs. An owner has every
 * right, a developer and a biller those of a viewer too.
 */

/** An administrator: by `ADMIN_TOKEN`, by a token of their own, or by the session of their person. */
export const AllowAdmin = () => UseGuards(AdminGuard);

/** A person with a session, also one without any organisation: for what is the person's own. */
export const AllowPerson = () => UseGuards(PersonGuard);

/** A member with a session, also of a suspended account: to read, and to delete. */
export const AllowSession = (least: MemberRole) =>
  applyDecorators(UseGuards(SessionGuard), UseInterceptors(new LeastRole(least)));

/** A member with a session of an account that is not suspended: to change something. */
export const AllowActiveSession = (least: MemberRole) =>
  applyDecorators(UseGuards(SessionGuard), UseInterceptors(new LeastRole(least), ActiveAccountInterceptor));

/** A member, or a key with the scope `account:read`: to read the whole account. */
export const AllowAccountRead = (least: MemberRole) =>
  applyDecorators(UseGuards(AccountReadGuard), UseInterceptors(new LeastRole(least)));

/** A member or any API key: for what a key may know of itself. */
export const AllowSessionOrKey = (least: MemberRole) =>
  applyDecorators(UseGuards(KeyGuard), UseInterceptors(new LeastRole(least)));
