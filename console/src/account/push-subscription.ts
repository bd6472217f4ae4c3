import { DisableAlertPushDocument, EnableAlertPushDocument, RequestAlertPushDocument } from '../api/documents.ts';
import { request } from '../api/transport.ts';

/** The service worker that shows push messages. */
const worker = '/console/push-worker.js';

export const canReceivePushes = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** Null: this browser gets none. */
export async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(worker);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Asks the person, and tells the service where to send messages. */
export async function subscribePush(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('This browser does not allow push messages of the console. Allow them in its settings.');
  const { result } = await request(RequestAlertPushDocument, {});
  await navigator.serviceWorker.register(worker);
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: result!.publicKey };
  const subscription = await pushManager.subscribe(options).catch(async (error: Error) => {
    // It is bound to another key: of the installation before it was set up anew.
    const old = error.name === 'InvalidStateError' && (await pushManager.getSubscription());
    if (!old) throw error;
    await old.unsubscribe();
    return pushManager.subscribe(options);
  });
  const { endpoint: url = '', keys = {} } = subscription.toJSON();
  const input = { url, p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' };
  const [refused] = (await request(EnableAlertPushDocument, { input })).result?.userErrors ?? [];
  if (!refused) return;
  await subscription.unsubscribe();
  throw new Error(refused.message);
}

export async function endPush(subscription: PushSubscription): Promise<void> {
  await request(DisableAlertPushDocument, { url: subscription.endpoint });
  await subscription.unsubscribe();
}
