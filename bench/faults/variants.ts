import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const root = new URL('../..', import.meta.url).pathname;

/** A way to be wrong: what of the built code is replaced by what. */
export interface Variant {
  name: string;
  file: string;
  from: string | RegExp;
  to: string | ((found: string) => string);
}

export const variants = {
  'nobody takes over': {
    file: 'notifications/delivery/queue.js',
    from: /d\.leased_until < \(select now from clock\)/g,
    to: 'false',
  },
  'nobody locks': {
    file: 'notifications/delivery/queue.js',
    from: /for update of d skip locked|where d\.state = 'pending' or \(d\.state = 'sending' and d\.leased_until < \(select now from clock\)\)/g,
    to: '',
  },
  'every attempt has a Message-ID of its own': {
    file: 'notifications/delivery/queue.js',
    from: 'd.message_id as "messageId"',
    to: `'<' || gen_random_uuid() || '@x>' as "messageId"`,
  },
  'told after the commit': {
    file: 'notifications/publish.service.js',
    from: /query\(unit\.em, recordSql, /,
    to: 'late(unit.em.fork(), recordSql, ',
  },
  'first in, first out': {
    file: 'notifications/delivery/fan-out.js',
    from: /created_at, queued_at, due_at\)([\s\S]*?)at, at, at\n/,
    to: "created_at, queued_at, due_at, state)$1at, at, at, 'retrying'\n",
  },
  'the second move is forgotten': {
    file: 'notices/notice.automation.js',
    from: /moved = \(await advance\(unit, notice, 'underway', 'complete'\)\) \|\| moved;/,
    to: '',
  },
  'early by 300 ms': {
    file: 'notices/notice.automation.js',
    from: /<= clock_timestamp\(\)\)|<= unit\.now/g,
    to: found =>
      found === '<= unit.now'
        ? '<= new Date(unit.now.getTime() + 300)'
        : "<= clock_timestamp() + interval '300 milliseconds')",
  },
} satisfies Record<string, Omit<Variant, 'name'>>;

/** Makes the broken variant of what is built; its folder. */
export function broken(name: keyof typeof variants): string {
  const { file, from, to }: Omit<Variant, 'name'> = variants[name];
  const folder = `dist-broken/${name.replace(/\W+/g, '-')}`;
  rmSync(`${root}${folder}`, { recursive: true, force: true });
  cpSync(`${root}dist`, `${root}${folder}`, { recursive: true });
  const path = `${root}${folder}/${file}`;
  const text = readFileSync(path, 'utf8');
  let changed = text.replace(from, to as string);
  if (changed === text) throw new Error(`There is nothing to break in ${file} for "${name}".`);
  if (name === 'told after the commit')
    changed +=
      '\nconst late = (...asked) => { setTimeout(() => query(...asked).catch(() => {}), 5); return Promise.resolve([]); };\n';
  writeFileSync(path, changed);
  return folder;
}

export const removeBroken = (folder: string) => rmSync(`${root}${folder}`, { recursive: true, force: true });
