import { beforeEach, expect, test } from '@jest/globals';
import { planDueOccurrences } from '../../../src/notices/recurrence/recurrence.automation.js';
import { describeInBrowser } from '../../support/browser.js';
import { desktop, useConsole } from '../../support/console.js';
import { createPage, createSubscriber } from '../../support/factories.js';

describeInBrowser('A dialog', () => {
  const { service, signIn } = useConsole();
  let id: string;
  let path: string;
  beforeEach(async () => {
    ({ id, path } = await createPage(service, { name: 'Meridian Freight' }));
  });
  const signInAsOwner = () => signIn({ role: 'owner', pageIds: [id], viewport: desktop });
  type Screen = Awaited<ReturnType<typeof signIn>>['page'];
  const ask = async (query: string, variables: object = {}) => {
    const { json } = await service.graphql(query, { page: id, ...variables });
    expect(json.errors).toBeUndefined();
    return json.data;
  };
  /** Has the screen read again what it shows, as a browser does whose tab is looked at again. */
  const lookAgain = async (page: Screen) => {
    await page.clock.fastForward(10_000);
    await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
  };

  test('stays open where a selection of its text ends beside it, and is closed by a press there', async () => {
    const { page, open } = await signInAsOwner();
    await open(`/pages/${id}/templates`);
    await page.getByRole('button', { name: 'Add a template' }).click();
    const dialog = page.getByRole('dialog');
    const text = dialog.getByLabel('Text', { exact: true });
    await text.fill('A long text');
    const { x, y } = (await text.boundingBox())!;
    await page.mouse.move(x + 60, y + 15);
    await page.mouse.down();
    await page.mouse.move(20, y + 15, { steps: 4 });
    await page.mouse.up();
    expect(await text.inputValue()).toBe('A long text');
    await page.mouse.click(20, y + 15);
    await dialog.waitFor({ state: 'detached' });
  });

  test('of a rule of alerts refuses to save where somebody else has changed the rules', async () => {
    const rules = ['one', 'two', 'three'].map(value => ({ label: 'service', value }));
    const { createAlertSource } = await ask(
      `mutation ($page: ID!, $rules: [AlertRuleInput!]) {
         createAlertSource(pageId: $page, input: { name: "Monitor", rules: $rules }) { alertSource { id } } }`,
      { rules },
    );
    const sourceId = createAlertSource.alertSource.id;
    const { page, open } = await signInAsOwner();
    await page.clock.install();
    await open(`/pages/${id}/alerts`);
    await page.getByRole('link', { name: 'Open Monitor' }).click();
    await page.getByRole('button', { name: 'Edit rule 2' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Value').fill('two, mended');
    await ask(
      `mutation ($page: ID!, $id: ID!, $rules: [AlertRuleInput!]) {
         updateAlertSource(pageId: $page, id: $id, input: { rules: $rules }) { alertSource { id } } }`,
      { id: sourceId, rules: rules.slice(1) },
    );
    await lookAgain(page);
    await page.getByText('service is one').waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('The record has changed since').waitFor();
    const [source] = await service.database.query<{ rules: { value: string }[] }>(
      'select rules from alert_source where id = $1',
      [sourceId],
    );
    expect(source!.rules.map(({ value }) => value)).toEqual(['two', 'three']);
  });

  test('of a series keeps the windows that somebody else has added meanwhile', async () => {
    const begin = Math.ceil(Date.now() / 86_400_000 + 1) * 86_400_000;
    const toTime = (hours: number) => new Date(begin + hours * 3_600_000).toISOString();
    const { scheduleMaintenance } = await ask(
      `mutation ($page: ID!, $input: ScheduleMaintenanceInput!) {
         scheduleMaintenance(pageId: $page, input: $input) { notice { ... on PlannedNotice { recurrenceId } } } }`,
      {
        input: {
          subject: 'Patches',
          beginsAt: toTime(0),
          endsAt: toTime(1),
          shouldPublish: false,
          recurrence: { rule: 'FREQ=WEEKLY' },
        },
      },
    );
    const { recurrenceId } = scheduleMaintenance.notice;
    while (await planDueOccurrences(service.database));
    const { page, open } = await signInAsOwner();
    await page.clock.install();
    await open(`/pages/${id}/recurring`);
    await page.getByRole('button', { name: 'Edit all' }).click();
    const dialog = page.getByRole('dialog');
    const end = await dialog.getByLabel('And ends').inputValue();
    await ask(
      `mutation ($id: ID!, $input: UpdateRecurrenceInput!) {
         updateRecurrence(id: $id, input: $input) { userErrors { message } } }`,
      { id: recurrenceId, input: { windows: [{ beginsAt: toTime(48), endsAt: toTime(49) }], shouldPublish: false } },
    );
    await lookAgain(page);
    await dialog.getByLabel('Window 2 begins').waitFor();
    await dialog.getByLabel('And ends').fill(end.replace(/\d\d$/, '45'));
    await dialog.getByRole('button', { name: 'Publish, notify nobody' }).click();
    await dialog.waitFor({ state: 'detached' });
    const [series] = await service.database.query<{ windows: object[] }>(
      'select windows from recurrence where id = $1',
      [recurrenceId],
    );
    expect(series!.windows).toHaveLength(1);
  });

  test('or a screen does not do by one double click what cannot be undone', async () => {
    await createSubscriber(service, path);
    const { page, open } = await signInAsOwner();
    await open(`/pages/${id}/subscribers`);
    await page.getByRole('checkbox').first().check();
    await page.getByRole('button', { name: 'Delete', exact: true }).dblclick();
    await page.getByRole('button', { name: /^Delete .*\?$/ }).click({ trial: true });
    expect(await service.database.query('select 1 from subscriber where page_id = $1', [id])).toHaveLength(1);
  });
});
