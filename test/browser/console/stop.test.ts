import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.js';
import { findFlaws, phone, setHoldSeconds, useOwnConsole } from '../../support/console.js';
import { createPage } from '../../support/factories.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

const recipients = 240;
const msPerMail = 40;

describeInBrowser('The messages of a publication', () => {
  let mailServer: MailServer;
  let mails = 0;
  /** The mail server answers none before. */
  let isAnswering = Promise.resolve();
  let page: { id: string; path: string };
  const { service, signIn } = useOwnConsole(async () => {
    mailServer = await startMailServer({
      // A slow mail server, so that there is something to stop.
      onData: (stream, _session, done) => {
        stream.resume();
        stream.on('end', async () => {
          await Promise.all([isAnswering, new Promise(over => setTimeout(over, msPerMail))]);
          mails += 1;
          done(null, 'taken');
        });
      },
    });
    return { smtpUrl: mailServer.url, mailFrom: 'status@example.com', worker: true };
  });
  beforeAll(async () => {
    page = await createPage(service, { name: 'Meridian Freight', send_notifications_by_email: true });
    const rows = Array.from({ length: recipients }, (_, number) => `reader-${number}@customer.example`);
    await service.graphql(
      `mutation($page: ID!, $csv: String!) {
        importSubscribers(pageId: $page, input: { csv: $csv, consentSource: "test" }, dryRun: false) { added } }`,
      { page: page.id, csv: ['email', ...rows].join('\n') },
    );
  });
  afterAll(() => mailServer.stop());
  const countDeliveries = async (state: string) => {
    const query = `query($page: ID!, $state: DeliveryState!) {
      deliveries(pageId: $page, filter: { state: { eq: $state } }) { totalCount } }`;
    const { json } = await service.graphql(query, { page: page.id, state });
    return json.data.deliveries.totalCount as number;
  };
  const publish = async (subject: string) => {
    const visitor = await signIn({ role: 'publisher', viewport: phone });
    await visitor.open('/new/incident');
    await visitor.page.getByLabel('Subject').fill(subject);
    await visitor.page.getByRole('button', { name: `Publish and notify ${recipients} people` }).click();
    return visitor;
  };

  test('are stopped while they wait, and nobody gets one', async () => {
    await setHoldSeconds(service, page.id, 60);
    const { page: screen } = await publish('Too early');
    await screen.getByText(/^Published\. The messages leave in \d+ s\.$/).waitFor();
    const countdown = screen.getByRole('timer');
    await countdown.filter({ hasNotText: (await countdown.textContent())! }).waitFor();
    await screen.getByRole('button', { name: 'Stop the messages' }).click();
    await screen.getByText('Stopped: 0 had been sent').waitFor();
    expect(mails).toBe(0);
  });

  test('are counted while they are sent, and stopped: none is sent after that is shown', async () => {
    await setHoldSeconds(service, page.id, 0);
    const { page: screen, problems } = await publish('Wrong text');
    await screen.getByText(new RegExp(`Sending: [1-9]\\d* of ${recipients}`)).waitFor();
    expect(await findFlaws(screen)).toEqual([]);
    await screen.getByRole('button', { name: 'Stop the messages' }).click();
    const stopped = screen.getByText(/Stopped: \d+ had been sent/);
    await stopped.waitFor();
    const atStop = mails;
    expect(await stopped.textContent()).toBe(`Stopped: ${atStop} had been sent`);
    expect(atStop).toBeLessThan(recipients);
    await waitUntilEqual(() => countDeliveries('PENDING'), 0);
    await waitUntilEqual(() => countDeliveries('SENDING'), 0);
    expect([mails, await countDeliveries('SENT')]).toEqual([atStop, atStop]);
    expect(problems).toEqual([]);
  });

  test('are not said to be stopped while some are on their way', async () => {
    await setHoldSeconds(service, page.id, 0);
    const before = mails;
    let answer = () => {};
    isAnswering = new Promise(done => {
      answer = done;
    });
    const { page: screen } = await publish('On its way');
    await waitUntilEqual(async () => (await countDeliveries('SENDING')) > 0, true);
    await screen.getByRole('button', { name: 'Stop the messages' }).click();
    await screen.getByText('Stopping: some messages are on their way').waitFor();
    expect(await screen.getByText(/^Stopped/).count()).toBe(0);
    answer();
    const stopped = screen.getByText(/^Stopped: \d+ had been sent/);
    await stopped.waitFor();
    expect(await stopped.textContent()).toBe(`Stopped: ${mails - before} had been sent`);
    expect(mails).toBeGreaterThan(before);
  });

  test('are followed to the end', async () => {
    const before = mails;
    const { page: screen } = await publish('Right text');
    await screen.getByText(new RegExp(`Sending: \\d+ of ${recipients}`)).waitFor();
    await screen.getByText(`Done: ${recipients} of ${recipients} sent`).waitFor();
    expect(mails - before).toBe(recipients);
  });
});
