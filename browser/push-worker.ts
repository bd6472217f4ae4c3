/** The service worker of a page. It shows push messages, and answers no requests of the page. */
interface PushMessage extends NotificationOptions {
  title: string;
  url: string;
}

interface WorkerEvent extends Event {
  data?: { json(): PushMessage };
  notification?: Notification;
  waitUntil(work: Promise<unknown>): void;
}

interface Worker {
  registration: ServiceWorkerRegistration;
  clients: { openWindow(url: string): Promise<unknown> };
  addEventListener(type: 'push' | 'notificationclick', listener: (event: WorkerEvent) => void): void;
}
const worker = self as unknown as Worker;

worker.addEventListener('push', event => {
  const { title, url, ...options } = event.data!.json();
  // One with the tag of an earlier one replaces it, and is announced, too.
  const shown = { ...options, renotify: true, data: url } as NotificationOptions;
  event.waitUntil(worker.registration.showNotification(title, shown));
});

worker.addEventListener('notificationclick', event => {
  event.notification!.close();
  event.waitUntil(worker.clients.openWindow(event.notification!.data));
});

export {};
