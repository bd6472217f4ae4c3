import { unreliableBehaviour } from './deliveries.ts';
import { FaultEnvironment, postgres } from './environment.ts';
import { compare, type Comparison, operators, waitUntilSent } from './storm-ledger.ts';
import { storm } from './storm-clients.ts';
import { Supervisor } from './supervisor.ts';
import { WebhookReceiver } from './webhook-receiver.ts';

export interface StormResult extends Comparison {
  kills: number;
  restarts: number;
  seconds: number;
}

const ports = [3993, 3994] as const;
const subscribers = 10;
/**
 * Two services and a worker, of which one after the other is killed while clients publish, alerts begin and end, and
 * mails and webhooks are refused at first. PostgreSQL is restarted twice without shutdown.
 */
export async function surviveStorm({ kills, build }: { kills: number; build?: string }): Promise<StormResult> {
  const environment = await FaultEnvironment.open(build, { ALLOW_PRIVATE_TARGETS: 'true', RATE_LIMIT: '0' });
  const receiver = new WebhookReceiver();
  const end = { isOver: false };
  let supervisor: Supervisor | undefined;
  try {
    const target = await prepare(environment, await receiver.listen());
    await environment.stopService();
    environment.receiver.behaviour = unreliableBehaviour;
    supervisor = new Supervisor([
      ...ports.map(port => () => environment.start('start', { PORT: String(port) })),
      () => environment.startWorker(),
    ]);
    await supervisor.ready(3);
    const startedAt = performance.now();
    const writing = storm({ ports, ...target }, () => end.isOver).finally(() => {
      end.isOver = true;
    });
    writing.catch(() => {});
    let restarts = 0;
    const isEnough = () => {
      if (restarts < 2 && supervisor!.kills >= ((restarts + 1) * kills) / 3) {
        postgres.restart();
        restarts += 1;
      }
      return end.isOver || supervisor!.kills >= kills;
    };
    await supervisor.killEvery(1_000, isEnough, createChooser());
    end.isOver = true;
    const acknowledged = await writing;
    await waitUntilSent(environment);
    const seconds = (performance.now() - startedAt) / 1_000;
    const result = await compare(environment, receiver, acknowledged, subscribers);
    return { kills: supervisor.kills, restarts, ...result, seconds };
  } finally {
    end.isOver = true;
    supervisor?.stop();
    receiver.close();
    await environment.close();
  }
}

/** Chooses at random, and in every run the same. */
function createChooser(): (count: number) => number {
  let seed = 20_261_128;
  return count => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * count);
  };
}

/** A page with subscribers, a webhook, operators and a source of alerts. */
async function prepare(environment: FaultEnvironment, url: string): Promise<{ page: string; hook: string }> {
  const page = await environment.createPage(subscribers);
  await environment.graphql(
    'mutation($page: ID!, $url: String!) { createWebhook(pageId: $page, input: { url: $url }) { webhook { id } } }',
    { page, url },
  );
  for (const [role, email] of Object.entries(operators))
    await environment.graphql('mutation($input: InvitePersonInput!) { invitePerson(input: $input) { link } }', {
      input: { email, role: role.toUpperCase(), pageIds: [page] },
    });
  const { createNoticeTemplate } = await environment.graphql<{
    createNoticeTemplate: { template: { id: string } };
  }>(
    `mutation($page: ID!) {
      createNoticeTemplate(pageId: $page, input: { name: "Shop", subject: "The shop is down", content: "We look.", type: UNPLANNED }) {
        template: noticeTemplate { id }
      }
    }`,
    { page },
  );
  const { id: templateId } = createNoticeTemplate.template;
  const rules = [{ value: 'shop', action: 'PUBLISH', shouldResolve: true, templateId }];
  const { createAlertSource } = await environment.graphql<{ createAlertSource: { hookUrl: string } }>(
    `mutation($page: ID!, $rules: [AlertRuleInput!]) {
      createAlertSource(pageId: $page, input: { name: "A monitor", rules: $rules }) { hookUrl }
    }`,
    { page, rules },
  );
  await environment.query(`update page set send_monthly_report = true, reported_month = '2000-01' where id = $1`, [
    page,
  ]);
  return { page, hook: new URL(createAlertSource.hookUrl).pathname };
}
