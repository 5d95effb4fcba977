import { afterAll } from '@jest/globals';
import { startSimulator } from '../start-simulator.js';

/** Specs use the models of this day, so that a retirement does not change them. */
const DAY = '2026-10-15';

/** Starts a simulator on a free port and stops it after the specs of the file. Returns its address. */
export const startForTests = async (day = DAY): Promise<string> => {
  const simulator = await startSimulator({ host: '127.0.0.1', port: 0, day });
  afterAll(() => simulator.close());
  return simulator.url;
};
