import { createHash } from 'node:crypto';
import { type Database, isSubjectRemembered, rememberSubject } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '../tokens.js';

const REMEMBERED_MS = 90 * 24 * 60 * 60 * 1_000;

/** A hash, so that the table contains no addresses. */
const subjectOf = (email: string, network: string) =>
  `known-network:${createHash('sha256').update(`${email} ${network}`).digest('base64url')}`;

/** The networks from which a person has logged in. Strangers' guesses must not lock that person out there. */
@Injectable()
export class KnownNetworks {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  isKnown(email: string, network: string): Promise<boolean> {
    return isSubjectRemembered(this.database, subjectOf(email, network));
  }

  remember(email: string, network: string): Promise<void> {
    return rememberSubject(this.database, subjectOf(email, network), REMEMBERED_MS);
  }
}
