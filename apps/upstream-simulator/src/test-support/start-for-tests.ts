import { afterAll } from '@jest/globals';
import { startSimulator } from '../start-simulator.js';

/** Starts a simulator on a free port and stops it after the specs of the file. Returns its address. */
export const startForTests = async (): Promise<string> => {
  const simulator = await startSimulator({ host: '127.0.0.1', port: 0 });
  afterAll(() => simulator.close());
  return simulator.url;
};
