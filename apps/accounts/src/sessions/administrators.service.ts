import { createHash } from 'node:crypto';
import { isGatewayError } from '@gateway/contracts';
import { invalidMachineToken, type MachineToken } from '@gateway/json-service';
import { type Database, findAdministrator } from '@gateway/postgres';
import { parseBearerToken } from '@gateway/serving';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ADMIN_TOKEN, DATABASE } from '../tokens.js';
import { Sessions } from './sessions.service.js';

const TOKEN = /^admin_[\w-]{43}$/;

export const hashAdministratorToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Who calls an administrators' route: by `ADMIN_TOKEN`, by a token of their own, or by the session of their person. */
@Injectable()
export class Administrators {
  constructor(
    @Inject(ADMIN_TOKEN) private readonly bootstrapToken: MachineToken,
    @Inject(DATABASE) private readonly database: Database,
    private readonly sessions: Sessions,
  ) {}

  /** The name; null for the holder of `ADMIN_TOKEN`. Throws the same 401 for everybody else. */
  async requireName(request: FastifyRequest): Promise<string | null> {
    const { authorization } = request.headers;
    if (this.bootstrapToken.admits(authorization)) return null;
    const token = parseBearerToken(authorization);
    const found =
      token !== undefined && TOKEN.test(token)
        ? await findAdministrator(this.database, { tokenSha256: hashAdministratorToken(token) })
        : await this.#findBySession(request);
    if (found === null) throw invalidMachineToken();
    return found.name;
  }

  async isAdministrator(personId: string): Promise<boolean> {
    return (await findAdministrator(this.database, { personId })) !== null;
  }

  async #findBySession(request: FastifyRequest) {
    try {
      const { person } = await this.sessions.requireSession(request);
      return await findAdministrator(this.database, { personId: person.id });
    } catch (error) {
      if (isGatewayError(error)) return null;
      throw error;
    }
  }
}
