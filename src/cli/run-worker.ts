import { runUntilSignal } from '../server/process.js';
import { startWorkerProcess } from '../server/start-worker.js';

export const run = (): Promise<void> =>
  runUntilSignal(async settings => ({
    stop: await startWorkerProcess(settings),
    greeting: 'The All Clear worker is running.\n',
  }));
