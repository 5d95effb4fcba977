import { type FileAddresses, GatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StoredFiles } from '../../files/stored-files.service.js';
import type { ReceiveUnidentified } from '../../receive/receive-unidentified.service.js';
import { FilesController } from './files.controller.js';
import type { ReceiveUpload } from './receive-upload.service.js';
import type { SendContent } from './send-content.service.js';

const HTTP = { query: {} } as FastifyRequest;
const tooMany = new GatewayError('rate_limit_exceeded', 'Too many requests came from your address.');
const wrongSignature = new GatewayError('permission_denied', 'The address was changed.');

/** Reads a file by a signed address, and lists what the controller did. */
async function readSigned({ isValid, isFlood }: { readonly isValid: boolean; readonly isFlood: boolean }) {
  const steps: string[] = [];
  const step = (name: string) => async (): Promise<void> => {
    steps.push(name);
    if (isFlood) throw tooMany;
  };
  const verify = (): void => {
    if (!isValid) throw wrongSignature;
  };
  const locate = async () => {
    steps.push('located');
    return { bytes: 1 };
  };
  const controller = new FilesController(
    { locate } as unknown as StoredFiles,
    {} as ReceiveUpload,
    { send: async () => undefined } as unknown as SendContent,
    { verify } as unknown as FileAddresses,
    { checkRefused: step('refused'), checkServed: step('served') } as unknown as ReceiveUnidentified,
  );
  const error = await controller.getContent(HTTP, {} as FastifyReply, 'file-a').catch((thrown: unknown) => thrown);
  return { steps, error };
}

describe('a signed address of a file', () => {
  it('counts for the address of its client before the file is looked up', async () => {
    expect(await readSigned({ isValid: true, isFlood: false })).toEqual({
      steps: ['served', 'located'],
      error: undefined,
    });
    expect(await readSigned({ isValid: true, isFlood: true })).toEqual({ steps: ['served'], error: tooMany });
  });

  it('counts as a refusal if its signature is wrong', async () => {
    expect(await readSigned({ isValid: false, isFlood: false })).toEqual({
      steps: ['refused'],
      error: wrongSignature,
    });
    expect(await readSigned({ isValid: false, isFlood: true })).toEqual({ steps: ['refused'], error: tooMany });
  });
});
