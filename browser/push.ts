/**
 * Of `subscribe?by=push` alone. On submitting, the browser asks the person, registers the service worker of the page
 * and makes a subscription, which goes into the hidden fields of the form. One that is subscribed can end it.
 */
const status = document.getElementById('push') as HTMLElement;
const ending = document.getElementById('push-end') as HTMLElement;
const { worker = '', key } = status.dataset;
const form = status.closest('form') as HTMLFormElement;
const endForm = ending.querySelector('form') as HTMLFormElement;

const fill = (target: HTMLFormElement, name: string, value: string | undefined) => {
  target.querySelector<HTMLInputElement>(`[name=${name}]`)!.value = value ?? '';
};

/** That of this page: a page above has another worker. */
async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(worker);
  const isOfPage = registration?.active?.scriptURL === new URL(worker, location.href).href;
  return isOfPage ? registration.pushManager.getSubscription() : null;
}

async function subscribe(): Promise<PushSubscription> {
  if ((await Notification.requestPermission()) !== 'granted') throw new Error('Not allowed.');
  await navigator.serviceWorker.register(worker);
  const registration = await findActive();
  const options = { userVisibleOnly: true, applicationServerKey: key };
  return registration.pushManager.subscribe(options).catch(async error => {
    // It is bound to another key: of the installation before it was set up anew.
    const old = error.name === 'InvalidStateError' && (await registration.pushManager.getSubscription());
    if (!old) throw error;
    await old.unsubscribe();
    return registration.pushManager.subscribe(options);
  });
}

/** A subscription needs a worker that is active. `ready` would wait for one whose scope has this document. */
async function findActive(): Promise<ServiceWorkerRegistration> {
  const registration = (await navigator.serviceWorker.getRegistration(worker))!;
  const starting = registration.installing ?? registration.waiting;
  if (!registration.active && starting)
    await new Promise<void>(done =>
      starting.addEventListener('statechange', () => {
        if (starting.state === 'activated') done();
      }),
    );
  return registration;
}

if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) {
  status.hidden = Notification.permission !== 'denied';
  findSubscription().then(subscription => {
    if (!subscription) return;
    ending.hidden = false;
    endForm.addEventListener('submit', async event => {
      event.preventDefault();
      fill(endForm, 'endpoint', subscription.endpoint);
      await subscription.unsubscribe().catch(() => {});
      endForm.submit();
    });
  });
  form.addEventListener('submit', async event => {
    event.preventDefault();
    try {
      const { endpoint, keys } = (await subscribe()).toJSON();
      fill(form, 'endpoint', endpoint);
      fill(form, 'p256dh', keys?.p256dh);
      fill(form, 'auth', keys?.auth);
      form.submit();
    } catch {
      status.hidden = false;
    }
  });
}

export {};
