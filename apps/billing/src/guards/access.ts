import { UseGuards } from '@nestjs/common';
import { AccountsGuard } from './accounts.guard.js';
import { EdgeGuard } from './edge.guard.js';

/*
 * The callers of a route. Each handler has exactly one of these decorators. Otherwise the service does not start.
 */

/** An edge, by `INTERNAL_TOKEN`. */
export const AllowEdge = () => UseGuards(EdgeGuard);

/** The service `accounts`, by `LEDGER_TOKEN`. */
export const AllowAccounts = () => UseGuards(AccountsGuard);
