import { describe, expect, test } from '@jest/globals';
import {
  type DnsRecords,
  type Finding,
  toFinding,
  findings,
  createProof,
  describeFinding,
  toPrintable,
} from '../../../src/custom-domain/dns-proof.js';

const proof = createProof({ domain: 'status.acme.example', pageId: 'a1b2c3d4', token: 'token' }, 'localhost');
const silent: DnsRecords = { cnames: [], isEndless: false, texts: [], failures: { cname: null, txt: null } };

test('both records name the page', () => {
  expect(proof).toEqual({
    domain: 'status.acme.example',
    target: 'a1b2c3d4.localhost',
    txtName: '_all-clear.status.acme.example',
    txtValue: 'all-clear=a1b2c3d4.token',
  });
});

const table: [why: string, answers: Partial<DnsRecords>, finding: Finding][] = [
  ['a CNAME to the page', { cnames: ['a1b2c3d4.localhost'] }, 'cname'],
  [
    'a CNAME to the page by way of others',
    { cnames: ['a.cdn.example', 'b.cdn.example', 'a1b2c3d4.localhost'] },
    'cname',
  ],
  ['a CNAME to the page that leads on', { cnames: ['a1b2c3d4.localhost', 'balancer.example'] }, 'cname'],
  [
    'a CNAME to the page, and a TXT that DNS does not tell',
    { cnames: ['a1b2c3d4.localhost'], failures: { cname: null, txt: 'ETIMEOUT' } },
    'cname',
  ],
  ['the TXT of the claim', { texts: ['all-clear=a1b2c3d4.token'] }, 'txt'],
  [
    'the TXT of the claim among others',
    { texts: ['v=spf1 -all', 'all-clear=00000000.other', 'all-clear=a1b2c3d4.token'] },
    'txt',
  ],
  ['the TXT of the claim with blanks around it', { texts: [' all-clear=a1b2c3d4.token\n'] }, 'txt'],
  [
    'the TXT of the claim, and a CNAME elsewhere',
    { cnames: ['elsewhere.example'], texts: ['all-clear=a1b2c3d4.token'] },
    'txt',
  ],
  [
    'the TXT of the claim, and a CNAME that DNS does not tell',
    { texts: ['all-clear=a1b2c3d4.token'], failures: { cname: 'ESERVFAIL', txt: null } },
    'txt',
  ],
  ['nothing', {}, 'nothing'],
  ['a CNAME elsewhere', { cnames: ['elsewhere.example'] }, 'elsewhere'],
  ['a CNAME to a name that only begins like ours', { cnames: ['a1b2c3d4.localhost.example'] }, 'elsewhere'],
  ['a CNAME to a name that only ends like ours', { cnames: ['x.a1b2c3d4.localhost'] }, 'elsewhere'],
  ['a CNAME to our base host', { cnames: ['localhost'] }, 'elsewhere'],
  ['a CNAME to another page', { cnames: ['cdn.example', '00000000.localhost'] }, 'other-page'],
  ['a circle', { cnames: ['a.example', 'b.example'], isEndless: true }, 'endless'],
  ['a TXT of another page', { texts: ['all-clear=00000000.token'] }, 'wrong-text'],
  ['a TXT of a claim of before', { texts: ['all-clear=a1b2c3d4.before'] }, 'wrong-text'],
  ['a TXT in other letters', { texts: ['ALL-CLEAR=A1B2C3D4.TOKEN'] }, 'wrong-text'],
  ['a TXT that holds more', { texts: ['all-clear=a1b2c3d4.token2'] }, 'wrong-text'],
  ['an empty TXT', { texts: [''] }, 'wrong-text'],
  ['a CNAME that DNS does not tell', { failures: { cname: 'ESERVFAIL', txt: null } }, 'unanswered'],
  [
    'a CNAME elsewhere, and a TXT that DNS does not tell',
    { cnames: ['elsewhere.example'], failures: { cname: null, txt: 'ETIMEOUT' } },
    'unanswered',
  ],
  [
    'a wrong TXT, and a CNAME whose second step DNS does not tell',
    { cnames: ['a.example'], texts: ['x'], failures: { cname: 'ETIMEOUT', txt: null } },
    'unanswered',
  ],
];

test.each(table)('%s', (_, answers, finding) => {
  expect(toFinding(proof, { ...silent, ...answers })).toBe(finding);
});

test('every finding that DNS can lead to is in the table', () => {
  const reached = new Set(table.map(([, , finding]) => finding));
  // Whether a domain is taken is not for DNS to say.
  expect(Object.keys(findings).filter(finding => !reached.has(finding as Finding))).toEqual(['taken']);
});

describe('the sentences', () => {
  const say = (answers: Partial<DnsRecords>, finding: Finding = 'elsewhere') =>
    describeFinding(proof, { ...silent, ...answers }, finding);
  const cname = (found: string) =>
    `Looked for a CNAME record from status.acme.example to a1b2c3d4.localhost: ${found}.`;
  const txt = (found: string) =>
    `Looked for a TXT record "all-clear=a1b2c3d4.token" at _all-clear.status.acme.example: ${found}.`;

  test.each<[Partial<DnsRecords>, string, string]>([
    [{}, 'there is none', 'there is none'],
    [
      { cnames: ['a.example', 'b.example'], texts: ['x', 'y'] },
      'it leads to a.example, then b.example',
      'there is "x", "y"',
    ],
    [
      { failures: { cname: 'ETIMEOUT', txt: 'ESERVFAIL' } },
      'DNS did not answer (ETIMEOUT)',
      'DNS did not answer (ESERVFAIL)',
    ],
    [
      { cnames: ['a.example'], failures: { cname: 'ETIMEOUT', txt: null } },
      'it leads to a.example, and then DNS did not answer (ETIMEOUT)',
      'there is none',
    ],
    [{ cnames: ['a.example'], isEndless: true }, 'it leads to a.example, and does not end', 'there is none'],
  ])('say what was looked for and what was found: %j', (answers, first, second) => {
    expect(say(answers)).toBe(`${cname(first)} ${txt(second)}`);
  });

  test('say who has a domain that is taken, and not more', () => {
    expect(say({ cnames: ['a1b2c3d4.localhost'] }, 'taken')).toMatch(
      / Another page has the domain, or gave it up less than 30 days ago\.$/,
    );
  });

  test('hold no more of what others wrote than can be read and kept', () => {
    const hostile = Array.from({ length: 5_000 }, () => `\0\u001b[31m<script>${'x'.repeat(1_000)}`);
    expect(toPrintable(hostile)).toHaveLength(10);
    expect(toPrintable(hostile)[0]).toBe(`??[31m<script>${'x'.repeat(242)}`.slice(0, 255));
    expect(say({ cnames: hostile, texts: hostile }).length).toBeLessThan(6_000);
  });
});
