import { applyDecorators, UseGuards, UseInterceptors } from '@nestjs/common';
import { AccountReadGuard } from './account-read.guard.js';
import { ActiveAccountInterceptor } from './active-account.interceptor.js';
import { AdminGuard } from './admin.guard.js';
import { KeyGuard } from './key.guard.js';
import { SessionGuard } from './session.guard.js';

/*
 * The callers of a route. Each handler (or its controller) has exactly one of these decorators, or is in
 * `public-routes.ts`. Otherwise the service does not start.
 */

/** The holder of `ADMIN_TOKEN`. */
export const AllowAdmin = () => UseGuards(AdminGuard);

/** A person with a session, also of a suspended account: to read, and to delete. */
export const AllowSession = () => UseGuards(SessionGuard);

/** A person with a session of an account that is not suspended: to change something. */
export const AllowActiveSession = () =>
  applyDecorators(UseGuards(SessionGuard), UseInterceptors(ActiveAccountInterceptor));

/** A session, or a key with the scope `account:read`: to read the whole account. */
export const AllowAccountRead = () => UseGuards(AccountReadGuard);

/** A session or any API key: for what a key may know of itself. */
export const AllowSessionOrKey = () => UseGuards(KeyGuard);
