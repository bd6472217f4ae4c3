import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { recordThemeOutcome, themeVersionSql } from '../../../src/pages/branding/theme.service.js';
import { hostileArchives } from '../../support/hostile-archives.js';
import { anyTimestamp, invalidBody } from '../../support/record-rules.js';
import { createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';
import { writeZip } from '../../support/zip-writer.js';

const service = useService();
let page: string;
beforeAll(async () => {
  page = (await createPage(service)).id;
  await upload(archive({ 'status-page.liquid': 'kept' }));
});

const megabyte = 1024 * 1024;
const archive = (files: Record<string, string>) =>
  writeZip(Object.entries(files).map(([name, content]) => ({ name, content })));
const slowTemplate = '{% for a in (1..3000) %}{% for b in (1..3000) %}{{ b }}{% endfor %}{% endfor %}';

function upload(bytes: Buffer) {
  const body = new FormData();
  body.append('zip', new Blob([new Uint8Array(bytes)], { type: 'application/zip' }), 'theme.zip');
  return service.call('PATCH', `/v1/pages/${page}/theme`, { body });
}

/** The theme rows, and temporary files of archives, without those of other processes. */
const readLeftovers = async () => ({
  rows: await service.database.query('select * from theme'),
  files: readdirSync(tmpdir()).filter(
    name => /zip|theme|upload|liquid/i.test(name) && (!/^all-clear-/.test(name) || name.includes(`-${process.pid}-`)),
  ),
});

const readThemeVersion = async () =>
  (
    await service.database.query<{ version: string }>(
      `select ${themeVersionSql('theme')} as version from theme where page_id = $1`,
      [page],
    )
  )[0]!.version;
const readTheme = async () =>
  (await service.graphql('query($page: ID!) { theme(pageId: $page) { version failingSince failure } }', { page })).json
    .data.theme;

describe('a hostile archive is refused and leaves nothing behind', () => {
  const archives = hostileArchives.map(([description, build, message]) => [description, build(), message] as const);
  const small = archives.filter(([, zip]) => zip.length <= 10 * megabyte);
  const large = archives.filter(([, zip]) => zip.length > 10 * megabyte);

  test.each(small)('%s', async (_description, zip, message) => {
    const before = await readLeftovers();
    const { status, json } = await upload(zip);
    expect([status, json]).toEqual([
      422,
      invalidBody({ zip: [zip.length ? expect.stringMatching(message) : "can't be blank"] as string[] }),
    ]);
    expect(await readLeftovers()).toEqual(before);
  });

  test.each(large)('%s, which exceeds the size limit', async (_description, zip) => {
    const before = await readLeftovers();
    expect((await upload(zip)).status).toBe(413);
    expect(await readLeftovers()).toEqual(before);
  });

  test('at least 40 archives are tested', () => {
    expect(small.length).toBeGreaterThanOrEqual(40);
  });
});

describe('a theme that fails to render is refused with a reason, and the current theme stays', () => {
  test.each<[description: string, files: Record<string, string>, why: string]>([
    [
      'a template that does not parse',
      { 'status-page.liquid': 'a\n{% if %}' },
      '"status-page.liquid", line 2: invalid value expression: "" (sample page: all operational).',
    ],
    [
      'an unused partial that does not parse',
      { 'status-page.liquid': '', 'includes/a.liquid': '{% x %}' },
      '"includes/a.liquid", line 1: tag "x" not found (sample page: all operational).',
    ],
    [
      'a theme that fails during an incident',
      { 'status-page.liquid': "{% for n in page.notices.present %}{% include 'notice' %}{% endfor %}" },
      '"status-page.liquid", line 1: there is no "includes/notice.liquid" (sample page: an incident).',
    ],
    [
      'a theme that takes too long',
      { 'status-page.liquid': slowTemplate },
      'The theme took longer than 1000 ms (sample page: all operational).',
    ],
    [
      'a theme that takes too long on an empty page',
      { 'status-page.liquid': `{% if page.components.roots == empty %}${slowTemplate}{% endif %}` },
      'The theme took longer than 1000 ms (sample page: an empty page).',
    ],
    [
      'a theme that needs too much memory',
      { 'status-page.liquid': '{% for a in (1..99999999) %}{% endfor %}' },
      '"status-page.liquid", line 1: needed more than 64 MB (sample page: all operational).',
    ],
    [
      'a theme with a broken style sheet',
      { 'status-page.liquid': '', 'assets/a.css': '{{ a' },
      '"assets/a.css", line 1: output "{{ a" not closed (sample page: all operational).',
    ],
  ])('%s', async (_description, files, why) => {
    const before = await readLeftovers();
    const { status, json } = await upload(archive(files));
    expect([status, json]).toEqual([422, invalidBody({ zip: [why] })]);
    expect(await readLeftovers()).toEqual(before);
  });

  test('is refused over GraphQL too', async () => {
    const zip = archive({ 'status-page.liquid': '{% x %}' }).toString('base64');
    const { json } = await service.graphql(
      'mutation($page: ID!, $zip: Bytes!) { setTheme(pageId: $page, input: { zip: $zip }) { __typename } }',
      {
        page,
        zip,
      },
    );
    expect(json.errors[0].extensions).toMatchObject({
      code: 'INVALID',
      userErrors: [
        {
          path: ['input', 'zip'],
          code: 'INVALID',
          message:
            '`zip` cannot be used: "status-page.liquid", line 1: tag "x" not found (sample page: all operational).',
        },
      ],
    });
  });
});

test('the page can be updated while a theme is validated', async () => {
  const done: string[] = [];
  const slow = upload(archive({ 'status-page.liquid': slowTemplate })).then(({ status }) =>
    done.push(`theme ${status}`),
  );
  await service.patch(`/v1/pages/${page}`, { name: 'Acme, at last' }).then(({ status }) => done.push(`page ${status}`));
  await slow;
  expect(done).toEqual(['page 200', 'theme 422']);
});

describe('a theme that fails on the page', () => {
  test('is reported with the reason and the time of the first failure until it renders again', async () => {
    const { version } = await readTheme();
    expect(await readTheme()).toEqual({ version, failingSince: null, failure: null });
    const recordOutcome = async (failure: string | null) =>
      recordThemeOutcome(service.database, page, await readThemeVersion(), failure);
    await recordOutcome('one');
    const first = await readTheme();
    expect(first).toEqual({ version, failingSince: anyTimestamp, failure: 'one' });
    await recordOutcome('another');
    expect(await readTheme()).toEqual({ ...first, failure: 'another' });
    await recordOutcome(null);
    expect(await readTheme()).toEqual({ version, failingSince: null, failure: null });
  });

  test('is no longer reported after a new upload, and late outcomes of the old one are ignored', async () => {
    const { version } = await readTheme();
    const oldVersion = await readThemeVersion();
    await recordThemeOutcome(service.database, page, oldVersion, 'broken');
    expect((await upload(archive({ 'status-page.liquid': 'new' }))).status).toBe(200);
    const now = { version: version + 1, failingSince: null, failure: null };
    expect(await readTheme()).toEqual(now);
    await recordThemeOutcome(service.database, page, oldVersion, 'late');
    expect(await readTheme()).toEqual(now);
  });

  test('does not change the response of /v1', async () => {
    const before = await service.get(`/v1/pages/${page}/theme`);
    await recordThemeOutcome(service.database, page, await readThemeVersion(), 'broken');
    const after = await service.get(`/v1/pages/${page}/theme`);
    expect([after.text, after.headers.get('etag')]).toEqual([before.text, before.headers.get('etag')]);
    expect(Object.keys(after.json.response)).toEqual(['created_at', 'updated_at']);
  });
});
