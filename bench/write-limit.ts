import { createServer } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import pg from 'pg';
import { pool as poolSettings } from './settings.ts';
import { readBack, statements } from './write-statements.ts';

/** Creates an incident with `node:http` and `pg` alone: the statements by hand, prepared, one after the other. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, ...poolSettings });

const prepare = (text: string, index: number) => {
  const names: string[] = [];
  const numbered = text.replace(/(?<!:):(\w+)/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { name: `write${index}`, text: numbered, names };
};
const prepared = statements.map(({ text, returns }, index) => ({ ...prepare(text, index), returns }));
const read = prepare(readBack, prepared.length);

const server = createServer(async (request, response) => {
  if (request.method !== 'POST') return void response.end();
  const { page } = JSON.parse(await readText(request)) as { page: number };
  const values: Record<string, number> = { page, one: page * 10 - 9, other: page * 10 - 4 };
  const client = await pool.connect();
  await client.query('begin');
  for (const { returns, names, ...statement } of prepared) {
    const { rows } = await client.query({ ...statement, values: names.map(name => values[name]) });
    if (returns) values[returns] = (rows[0] as { id: number }).id;
  }
  await client.query('commit');
  const { names, ...statement } = read;
  const { rows } = await client.query({ ...statement, values: names.map(name => values[name]) });
  client.release();
  const { body } = rows[0] as { body: string };
  response.writeHead(201, { 'Content-Type': 'application/json; charset=utf-8' }).end(body);
});
server.listen(Number(process.env.PORT), '127.0.0.1');
