/** How long the next document may take to replace this one: nothing tells that a navigation was cancelled. */
const longestUnloadMs = 30_000;

/**
 * Lets a document that is about to be replaced keep what is pending: it can remove that from the storage, but not open
 * another screen any more. The next document sends it again, and gets the same response.
 */
export function delayDuringUnload(signal: AbortSignal): () => Promise<unknown> {
  let until = 0;
  const onBeforeUnload = () => {
    until = Date.now() + longestUnloadMs;
  };
  addEventListener('beforeunload', onBeforeUnload, { signal });
  return () => new Promise(done => setTimeout(done, Math.max(0, until - Date.now())));
}
