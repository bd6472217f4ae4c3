/// <reference lib="dom" />

/** Runs in the page. The subscription is kept beyond the load of the next document, as that of a browser. */
export function replaceSubscriptions({
  endpoint,
  p256dh,
  auth,
}: {
  endpoint: string;
  p256dh: string;
  auth: string;
}): void {
  const subscription = {
    endpoint,
    toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
    unsubscribe: async () => {
      localStorage.removeItem('subscribed');
      return true;
    },
  } as unknown as PushSubscription;
  PushManager.prototype.subscribe = async function subscribe(options) {
    if (!options?.userVisibleOnly || !options.applicationServerKey) throw new Error('Options are missing.');
    localStorage.setItem('subscribed', '1');
    return subscription;
  };
  PushManager.prototype.getSubscription = async () => (localStorage.getItem('subscribed') ? subscription : null);
}

/** Runs in the page: the person has not been asked before. */
export function answerQuestion(answer: NotificationPermission): void {
  Object.defineProperty(Notification, 'permission', { get: () => 'default' });
  Notification.requestPermission = async () => answer;
}

/** Runs in the page: the address of the worker that it has registered. */
export async function findWorker(): Promise<string | undefined> {
  const [registration] = await navigator.serviceWorker.getRegistrations();
  return registration?.active?.scriptURL;
}
