import { describe, expect, test } from '@jest/globals';
import {
  type DnsRecords,
  type Finding,
  toFinding,
  findings,
  createProof,
  describeFinding,
  toPrintable,
} from '../../../../src/pages/custom-domain/dns-proof.js';

const proof = createProof({ domain: 'status.acme.example', pageId: 'a1b2c3d4', token: 'token' }, 'localhost');
const noRecords: DnsRecords = {
  cnames: [],
  isEndless: false,
  texts: [],
  failures: { cname: null, txt: null },
  addresses: { domain: [], target: [] },
};
const addresses = { domain: ['192.0.2.1', '2001:db8::1'], target: ['2001:db8::1', '192.0.2.1', '192.0.2.2'] };

test('createProof names the page in both records', () => {
  expect(proof).toEqual({
    domain: 'status.acme.example',
    target: 'a1b2c3d4.localhost',
    txtName: '_all-clear.status.acme.example',
    txtValue: 'all-clear=a1b2c3d4.token',
    baseHost: 'localhost',
  });
});

const table: [condition: string, records: Partial<DnsRecords>, finding: Finding][] = [
  ['a CNAME to the page', { cnames: ['a1b2c3d4.localhost'] }, 'cname'],
  [
    'a CNAME to the page through other names',
    { cnames: ['a.cdn.example', 'b.cdn.example', 'a1b2c3d4.localhost'] },
    'cname',
  ],
  ['a CNAME to the page that leads on', { cnames: ['a1b2c3d4.localhost', 'balancer.example'] }, 'cname'],
  [
    'a CNAME to the page, and no response for the TXT',
    { cnames: ['a1b2c3d4.localhost'], failures: { cname: null, txt: 'ETIMEOUT' } },
    'cname',
  ],
  ['the TXT of the claim', { texts: ['all-clear=a1b2c3d4.token'] }, 'txt'],
  [
    'the TXT of the claim among others',
    { texts: ['v=spf1 -all', 'all-clear=00000000.other', 'all-clear=a1b2c3d4.token'] },
    'txt',
  ],
  ['the TXT of the claim with spaces around it', { texts: [' all-clear=a1b2c3d4.token\n'] }, 'txt'],
  [
    'the TXT of the claim, and a CNAME elsewhere',
    { cnames: ['elsewhere.example'], texts: ['all-clear=a1b2c3d4.token'] },
    'txt',
  ],
  [
    'the TXT of the claim, and no response for the CNAME',
    { texts: ['all-clear=a1b2c3d4.token'], failures: { cname: 'ESERVFAIL', txt: null } },
    'txt',
  ],
  ['no record', {}, 'nothing'],
  ['the addresses of the target', { addresses }, 'flattened'],
  ['other addresses, too', { addresses: { ...addresses, domain: ['192.0.2.1', '198.51.100.1'] } }, 'nothing'],
  ['addresses of a target that has none', { addresses: { ...addresses, target: [] } }, 'nothing'],
  ['the addresses of the target, and the TXT', { addresses, texts: ['all-clear=a1b2c3d4.token'] }, 'txt'],
  ['the addresses of the target, and another TXT', { addresses, texts: ['x'] }, 'wrong-text'],
  ['a CNAME elsewhere', { cnames: ['elsewhere.example'] }, 'elsewhere'],
  ['a CNAME to a name that only begins like the target', { cnames: ['a1b2c3d4.localhost.example'] }, 'elsewhere'],
  ['a CNAME to a name that only ends like the target', { cnames: ['x.a1b2c3d4.localhost'] }, 'elsewhere'],
  ['a CNAME to the base host', { cnames: ['localhost'] }, 'elsewhere'],
  ['a CNAME to another page', { cnames: ['cdn.example', '00000000.localhost'] }, 'other-page'],
  ['a loop', { cnames: ['a.example', 'b.example'], isEndless: true }, 'endless'],
  ['a TXT of another page', { texts: ['all-clear=00000000.token'] }, 'wrong-text'],
  ['a TXT of an earlier claim', { texts: ['all-clear=a1b2c3d4.before'] }, 'wrong-text'],
  ['a TXT in upper case', { texts: ['ALL-CLEAR=A1B2C3D4.TOKEN'] }, 'wrong-text'],
  ['a TXT with more text', { texts: ['all-clear=a1b2c3d4.token2'] }, 'wrong-text'],
  ['an empty TXT', { texts: [''] }, 'wrong-text'],
  ['no response for the CNAME', { failures: { cname: 'ESERVFAIL', txt: null } }, 'unanswered'],
  [
    'a CNAME elsewhere, and no response for the TXT',
    { cnames: ['elsewhere.example'], failures: { cname: null, txt: 'ETIMEOUT' } },
    'unanswered',
  ],
  [
    'a wrong TXT, and no response for the second CNAME',
    { cnames: ['a.example'], texts: ['x'], failures: { cname: 'ETIMEOUT', txt: null } },
    'unanswered',
  ],
];

test.each(table)('toFinding with %s', (_, records, finding) => {
  expect(toFinding(proof, { ...noRecords, ...records })).toBe(finding);
});

test('the table covers every finding that DNS can lead to', () => {
  const covered = new Set(table.map(([, , finding]) => finding));
  // DNS does not know whether another page has the domain.
  expect(Object.keys(findings).filter(finding => !covered.has(finding as Finding))).toEqual(['taken']);
});

describe('describeFinding', () => {
  const describeWith = (records: Partial<DnsRecords>, finding: Finding = 'elsewhere') =>
    describeFinding(proof, { ...noRecords, ...records }, finding);
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
  ])('names the records and their values: %j', (records, first, second) => {
    expect(describeWith(records)).toBe(`${cname(first)} ${txt(second)}`);
  });

  test('says what addresses in place of a CNAME mean', () => {
    expect(describeWith({ addresses }, 'flattened')).toMatch(
      / has the addresses of a1b2c3d4\.localhost \(192\.0\.2\.1, 2001:db8::1\) .*: add the TXT record\.$/,
    );
    expect(describeWith({ addresses: { domain: ['198.51.100.1'], target: [] } }, 'nothing')).toMatch(
      / The domain has the addresses 198\.51\.100\.1: if a proxy .* hides the CNAME, add the TXT record\.$/,
    );
  });

  test('says of a taken domain only that another page has it', () => {
    expect(describeWith({ cnames: ['a1b2c3d4.localhost'] }, 'taken')).toMatch(
      / Another page has the domain, or gave it up less than 30 days ago\.$/,
    );
  });

  test('limits and sanitizes hostile records', () => {
    const hostile = Array.from({ length: 5_000 }, () => `\0\u001b[31m<script>${'x'.repeat(1_000)}`);
    expect(toPrintable(hostile)).toHaveLength(10);
    expect(toPrintable(hostile)[0]).toBe(`??[31m<script>${'x'.repeat(242)}`.slice(0, 255));
    expect(describeWith({ cnames: hostile, texts: hostile }).length).toBeLessThan(6_000);
  });
});
