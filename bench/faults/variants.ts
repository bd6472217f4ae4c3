import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const root = new URL('../..', import.meta.url).pathname;

/** A deliberate defect, as a replacement in the compiled code. */
export interface Variant {
  file: string;
  from: string | RegExp;
  to: string | ((match: string) => string);
}

export const variants = {
  'expired leases are not taken over': {
    file: 'notifications/delivery/lease-deliveries.js',
    from: /d\.leased_until < \(select now from clock\)/g,
    to: 'false',
  },
  'leases do not lock': {
    file: 'notifications/delivery/lease-deliveries.js',
    from: /for update of d skip locked|where d\.state = 'pending' or \(d\.state = 'sending' and d\.leased_until < \(select now from clock\)\)/g,
    to: '',
  },
  'every attempt has a new Message-ID': {
    file: 'notifications/delivery/lease-deliveries.js',
    from: 'd.message_id as "messageId"',
    to: `'<' || gen_random_uuid() || '@x>' as "messageId"`,
  },
  'a mail to operators counts as sent when it is begun': {
    file: 'notifications/operator-mail/operator-mail.js',
    from: 'update operator_mail m set attempts = attempts + 1, due_at = $3 from due where m.id = due.id returning m.*',
    to: 'delete from operator_mail m using due where m.id = due.id and $3::timestamptz is not null returning m.*',
  },
  'published after the commit': {
    file: 'notifications/publish.service.js',
    from: 'const [row] = await query(unit.em, recordSql, publicationParameters(unit, notice, values));',
    to: `const row = { id: null };
    const parameters = publicationParameters(unit, notice, values);
    const pool = await unit.em.getConnection().getNativeClient();
    setTimeout(() => pool.query(recordSql, parameters).catch(() => {}), 5);`,
  },
  'first in, first out': {
    file: 'notifications/delivery/fan-out.js',
    from: "then 'pending' else 'skipped' end,",
    to: "then 'retrying' else 'skipped' end,",
  },
  'the second transition is missed': {
    file: 'notices/automation/notice.automation.js',
    from: /isAdvanced = \(await changeStateIfStill\(unit, notice, 'underway', 'complete'\)\) \|\| isAdvanced;/,
    to: '',
  },
  'early by 300 ms': {
    file: 'notices/automation/notice.automation.js',
    from: /<= clock_timestamp\(\)\)|<= unit\.now/g,
    to: match =>
      match === '<= unit.now'
        ? '<= new Date(unit.now.getTime() + 300)'
        : "<= clock_timestamp() + interval '300 milliseconds')",
  },
} satisfies Record<string, Variant>;

/** Creates a copy of the build with a defect. Returns its folder. */
export function createBrokenBuild(name: keyof typeof variants): string {
  const { file, from, to }: Variant = variants[name];
  const folder = `dist-broken/${name.replace(/\W+/g, '-')}`;
  rmSync(`${root}${folder}`, { recursive: true, force: true });
  cpSync(`${root}dist`, `${root}${folder}`, { recursive: true });
  // What the code reads beside its folder. Without a name, which Jest would find twice.
  const { version, type } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as Record<string, string>;
  writeFileSync(`${root}dist-broken/package.json`, JSON.stringify({ version, type }));
  const path = `${root}${folder}/${file}`;
  const text = readFileSync(path, 'utf8');
  const changed = text.replace(from, to as string);
  if (changed === text) throw new Error(`The text to replace for "${name}" is not in ${file}.`);
  writeFileSync(path, changed);
  return folder;
}

export const removeBrokenBuild = (folder: string) => rmSync(`${root}${folder}`, { recursive: true, force: true });
