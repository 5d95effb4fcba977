import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../database.js';

const SCRIPT = join(import.meta.dirname, '../../roles.sql');

/**
 * Lets a role do what the services need, and nothing else: `roles.sql`. To be repeated after every migration, since what a
 * migration makes anew belongs to nobody else. The address is the owner's.
 */
export async function grantServiceRole(databaseUrl: string, role: string): Promise<void> {
  const { prisma, close } = openDatabase({
    databaseUrl,
    poolSize: 1,
    applicationName: 'gateway-roles',
    onError: (error) => {
      throw error;
    },
  });
  try {
    const script = await readFile(SCRIPT, 'utf8');
    await prisma.$transaction([
      prisma.$queryRaw`SELECT set_config('gateway.services_role', ${role}, true)`,
      prisma.$executeRawUnsafe(script),
    ]);
  } finally {
    await close();
  }
}
