import pg from 'pg';
import { readFileSync } from 'node:fs';
const [rounds, n, ...files] = process.argv.slice(2);
const c = new pg.Client(process.env.DBU || 'postgres://all_clear@127.0.0.1:55450/try');
await c.connect();
const types = { getTypeParser: () => b => b };
const x_ = f => (f.endsWith('p') ? ['00000001'] : []);
const m = files.map(f => ({ f, q: { name: f, text: readFileSync(`/tmp/sql/${f}.sql`, 'utf8'), binary: true, types, values: x_(f) }, t: [] }));
for (let r = 0; r < +rounds; r++)
  for (const x of m) {
    for (let i = 0; i < 10; i++) await c.query(x.q);
    const s = performance.now();
    for (let i = 0; i < +n; i++) await c.query(x.q);
    x.t.push((performance.now() - s) / +n);
  }
for (const x of m) {
  x.t.sort((a, b) => a - b);
  console.log(
    x.f.padEnd(8),
    'min',
    x.t[0].toFixed(3),
    'med',
    x.t[x.t.length >> 1].toFixed(3),
    'ratio',
    (m[0].t[m[0].t.length >> 1] / x.t[x.t.length >> 1]).toFixed(3),
  );
}
await c.end();
