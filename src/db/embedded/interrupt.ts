import { Session } from 'node:inspector';
import type { Worker } from 'node:worker_threads';

interface AttachedWorker {
  params: { sessionId: string; workerInfo: { title: string } };
}

/** The name of the function, global in the thread, that asks a request in progress to end. */
export const interruptFunction = 'interruptStatement';

/**
 * Interrupts the statement of a thread, which is busy in WebAssembly: a message to its port would wait for the end of
 * the statement. V8 evaluates the messages of the inspector at its interrupt checks, which every loop has. The request
 * is named by its number, since it may end before the message arrives.
 */
export function interruptStatement(thread: Worker, request: number): void {
  const session = new Session();
  session.connect();
  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId, workerInfo } }: AttachedWorker) => {
    // `workerId` counts the threads of the session; the title names the thread.
    if (!workerInfo.title.startsWith(`[worker ${thread.threadId}]`)) return;
    const message = { id: 1, method: 'Runtime.evaluate', params: { expression: `${interruptFunction}(${request})` } };
    session.post('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify(message) });
  });
  // Not at once: the answer can arrive while `enable` still runs, which then would use what `disconnect` has freed.
  session.on('NodeWorker.receivedMessageFromWorker', () => setImmediate(() => session.disconnect()));
  session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
}
