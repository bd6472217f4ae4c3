import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Heartbeats } from '../../../src/core/heartbeats.js';
import { poll } from '../../../src/db/poll.js';
import { checkDueDomains, createDomainTask } from '../../../src/pages/custom-domain/custom-domain.automation.js';
import { createDnsClient } from '../../../src/pages/custom-domain/dns-query.js';
import { type DnsServer, type DnsName, startDns } from '../../support/dns.js';
import { startTestService, type TestService } from '../../support/service.js';
import { waitForResponse, requestPage } from '../../support/visitor.js';
import { execute } from '../../support/graphql-records.js';
import { codesByField } from '../../support/user-errors.js';

let service: TestService;
let dns: DnsServer;
beforeAll(async () => {
  [service, dns] = [await startTestService(), await startDns()];
});
afterAll(async () => {
  await service.stop();
  await dns.stop();
});
let page: string;
let domain: string;
let count = 0;
beforeEach(async () => {
  service.settings.dnsServers = [dns.address];
  page = await createPage();
  domain = `status${++count}.acme.example`;
});
afterEach(() => {
  service.settings.dnsServers = [];
  dns.names.clear();
});

const dnsOptions = () => ({ queryDns: createDnsClient(service.settings), baseHost: 'localhost' });

const createPage = async (): Promise<string> =>
  (await execute(service, 'mutation { createPage(input: { name: "Acme" }) { page { id } } }')).createPage.page.id;
const fields =
  'domain cnameTarget txtName txtValue isVerified verifiedAt missingSince nextCheckAt checkedAt finding findingText cnamesFound textsFound version';
const write = (body: string, id = page) => service.graphql(`mutation($p: ID!) { ${body} }`, { p: id });
const claim = async (id = page, name = domain) =>
  (
    await execute(
      service,
      `mutation($p: ID!, $d: String!) { setCustomDomain(pageId: $p, input: { domain: $d }) { customDomain { ${fields} } } }`,
      {
        p: id,
        d: name,
      },
    )
  ).setCustomDomain.customDomain;
const refusedClaim = async (id: string, name = domain) =>
  codesByField(
    (await write(`setCustomDomain(pageId: $p, input: { domain: "${name}" }) { customDomain { cnameTarget } }`, id))
      .json,
  );
const check = async (id = page) =>
  (
    await execute(service, `mutation($p: ID!) { checkCustomDomain(pageId: $p) { customDomain { ${fields} } } }`, {
      p: id,
    })
  ).checkCustomDomain.customDomain;
const read = async (id = page) =>
  (await execute(service, `query($p: ID!) { customDomain(pageId: $p) { ${fields} } }`, { p: id })).customDomain;
const release = (id = page) => write('deleteCustomDomain(pageId: $p) { page { id } }', id);
/** Moves a time that otherwise only the clock moves. */
const age = (set: string, id = page) =>
  service.database.query(`update custom_domain set ${set} where page_id = $1`, [id]);
const host = (id: string) => `${id}.localhost`;
const holds = (name: string, held: DnsName) => dns.names.set(name, held);
/** Runs once: the resolver may repeat a query. */
function once(work: () => Promise<unknown>): () => Promise<unknown> {
  let done: Promise<unknown> | undefined;
  return () => (done ??= work());
}
/** Claims the domain and verifies it. */
async function verify(id = page, name = domain) {
  await claim(id, name);
  holds(name, { cname: host(id) });
  return check(id);
}

describe('a claim', () => {
  test('shows the records that prove it, and no finding before the first check', async () => {
    const made = await claim();
    expect(made).toEqual({
      domain,
      cnameTarget: host(page),
      txtName: `_all-clear.${domain}`,
      txtValue: expect.stringMatching(new RegExp(`^all-clear=${page}\\.[a-z0-9]{24}$`)),
      isVerified: false,
      verifiedAt: null,
      missingSince: null,
      nextCheckAt: expect.any(String),
      checkedAt: null,
      finding: null,
      findingText: null,
      cnamesFound: [],
      textsFound: [],
      version: 1,
    });
    expect(dns.queries.filter(question => question.includes(domain))).toEqual([]);
  });

  test('retains its token for the same domain, and gets a new one for another domain', async () => {
    const { txtValue } = await claim();
    expect((await claim()).txtValue).toBe(txtValue);
    expect((await claim(page, `other.${domain}`)).txtValue).not.toBe(txtValue);
  });

  test('drops the findings about the previous domain', async () => {
    await verify();
    expect(await claim(page, `other.${domain}`)).toMatchObject({
      isVerified: false,
      verifiedAt: null,
      checkedAt: null,
      finding: null,
      cnamesFound: [],
    });
  });
});

describe('a DNS response', () => {
  const far = 'far.example';
  const circle = () =>
    holds('a.far.example', { cname: 'b.far.example' }).set('b.far.example', { cname: 'a.far.example' });
  test.each<[why: string, arrange: (txt: { name: string; value: string }) => unknown, finding: string]>([
    ['a CNAME to the page', () => holds(domain, { cname: host(page) }), 'CNAME'],
    ['one in capitals', () => holds(domain, { cname: host(page).toUpperCase() }), 'CNAME'],
    [
      'a chain to it',
      () =>
        holds(domain, { cname: far })
          .set(far, { cname: 'near.example' })
          .set('near.example', { cname: host(page) }),
      'CNAME',
    ],
    [
      'a CNAME while the TXT fails',
      ({ name }) => holds(domain, { cname: host(page) }).set(name, { fails: 'SERVFAIL' }),
      'CNAME',
    ],
    ['a TXT', ({ name, value }) => holds(name, { txt: [value] }), 'TXT'],
    ['a TXT in pieces', ({ name, value }) => holds(name, { txt: [[value.slice(0, 9), value.slice(9)]] }), 'TXT'],
    [
      'a TXT behind a CNAME of its own',
      ({ name, value }) => holds(name, { txt: ['v=spf1 -all', value] }).set(domain, { cname: far }),
      'TXT',
    ],
    [
      'a TXT at the end of a huge answer',
      ({ name, value }) =>
        holds(name, { txt: [...Array.from({ length: 200 }, (_, at) => `${at}${'x'.repeat(240)}`), value] }),
      'TXT',
    ],
    ['no name', () => undefined, 'NOTHING'],
    ['a name without records', ({ name }) => holds(domain, {}).set(name, {}), 'NOTHING'],
    [
      'the addresses of the page in place of a CNAME',
      () => holds(domain, { a: ['192.0.2.1'] }).set(host(page), { a: ['192.0.2.1', '192.0.2.2'] }),
      'FLATTENED',
    ],
    ['a CNAME elsewhere', () => holds(domain, { cname: far }), 'ELSEWHERE'],
    ['a CNAME to another page', () => holds(domain, { cname: '00000000.localhost' }), 'OTHER_PAGE'],
    ['a circle', () => circle().set(domain, { cname: 'a.far.example' }), 'ENDLESS'],
    ['a CNAME to itself', () => holds(domain, { cname: domain }), 'ENDLESS'],
    [
      'a chain that is too long',
      () =>
        Array.from({ length: 12 }, (_, at) => holds(at ? `n${at}.example` : domain, { cname: `n${at + 1}.example` })),
      'ENDLESS',
    ],
    [
      'a TXT of another page',
      ({ name, value }) => holds(name, { txt: [value.replace(page, '00000000')] }),
      'WRONG_TEXT',
    ],
    [
      'a huge answer without it',
      ({ name }) => holds(name, { txt: Array.from({ length: 200 }, () => 'x'.repeat(250)) }),
      'WRONG_TEXT',
    ],
    ['texts that are none', ({ name }) => holds(name, { txt: ['\0\x01\xff', '<script>'] }), 'WRONG_TEXT'],
    ['a failing server', ({ name }) => holds(domain, { fails: 'SERVFAIL' }).set(name, {}), 'UNANSWERED'],
    ['a server that refuses', ({ name }) => holds(domain, { fails: 'REFUSED' }).set(name, {}), 'UNANSWERED'],
    ['a failure down the chain', () => holds(domain, { cname: far }).set(far, { fails: 'SERVFAIL' }), 'UNANSWERED'],
  ])('%s', async (_, arrange, finding) => {
    const made = await claim();
    arrange({ name: made.txtName, value: made.txtValue });
    const proven = finding === 'CNAME' || finding === 'TXT';
    const found = await check();
    expect([found.finding, found.isVerified, found.verifiedAt !== null]).toEqual([finding, proven, proven]);
    expect(Date.parse(found.checkedAt)).toBeLessThan(Date.parse(found.nextCheckAt));
    expect(found.findingText).toContain(`Looked for a CNAME record from ${domain} to ${host(page)}: `);
    expect(await read()).toEqual(found);
  });

  test('is shown: the names of the chain, the first texts, and the time', async () => {
    const { txtName } = await claim();
    holds(domain, { cname: far })
      .set(far, { cname: 'near.example' })
      .set(txtName, { txt: Array.from({ length: 30 }, (_, at) => `text ${at}`) });
    const { cnamesFound, textsFound, checkedAt } = await check();
    expect(cnamesFound).toEqual([far, 'near.example']);
    expect(textsFound).toEqual(Array.from({ length: 10 }, (_, at) => `text ${at}`));
    expect(Date.parse(checkedAt)).toBeGreaterThan(0);
  });

  test('is missing if the DNS server does not respond', async () => {
    service.settings.dnsServers = ['127.0.0.1:1'];
    await claim();
    expect(await check()).toMatchObject({ finding: 'UNANSWERED', isVerified: false });
  });
});

describe('checkCustomDomain', () => {
  test('increments the version only when it verifies the domain', async () => {
    await claim();
    expect((await check()).version).toBe(1);
    holds(domain, { cname: host(page) });
    expect((await check()).version).toBe(2);
    expect((await check()).version).toBe(2);
  });

  test('answers NOT_FOUND without a domain or a page', async () => {
    for (const id of [page, '00000000'])
      expect((await write('checkCustomDomain(pageId: $p) { page { id } }', id)).json.errors[0].extensions.code).toBe(
        'NOT_FOUND',
      );
  });

  test('does not change a claim that was made during the DNS query', async () => {
    const other = `other.${domain}`;
    const { txtName, txtValue } = await claim();
    holds(txtName, { txt: [txtValue], beforeResponse: once(() => claim(page, other)) });
    expect(await check()).toMatchObject({ domain: other, isVerified: false, finding: null });
    const again = await claim();
    holds(domain, { cname: host(page), beforeResponse: once(async () => [await claim(page, other), await claim()]) });
    const found = await check();
    expect(found).toMatchObject({ domain, isVerified: false, finding: null });
    expect(found.txtValue).not.toBe(again.txtValue);
  });

  test('answers NOT_FOUND if the claim or the page is deleted during the DNS query', async () => {
    const checkWhile = async (gone: () => Promise<unknown>) => {
      await claim();
      holds(domain, { cname: host(page), beforeResponse: once(gone) });
      return (await write('checkCustomDomain(pageId: $p) { customDomain { cnameTarget } }')).json;
    };
    expect(await checkWhile(release)).toEqual({ data: { checkCustomDomain: { customDomain: null } } });
    expect((await checkWhile(() => write('deletePage(id: $p) { deletedId }'))).errors[0].extensions.code).toBe(
      'NOT_FOUND',
    );
  });
});

describe('the status page', () => {
  const shown = () => requestPage(service.url, `${domain.toUpperCase()}.:8080`, '/feed.json');

  test('is served on the domain from its verification until its release', async () => {
    await claim();
    await check();
    expect((await shown()).status).toBe(404);
    holds(domain, { cname: host(page) });
    await check();
    expect(await waitForResponse(shown, ({ status }) => status === 200, 1_000)).toMatchObject({ status: 200 });
    expect(await requestPage(service.url, domain, '/v1/hello')).toMatchObject({ status: 404, text: 'Not found.\n' });
    await release();
    expect(await waitForResponse(shown, ({ status }) => status === 404, 1_000)).toMatchObject({ status: 404 });
  });
});

test('an internationalized domain is queried and found in its ASCII form', async () => {
  expect(await claim(page, ' Bücher.Example. ')).toMatchObject({
    domain: 'xn--bcher-kva.example',
    txtName: '_all-clear.xn--bcher-kva.example',
  });
  holds('xn--bcher-kva.example', { cname: host(page) });
  expect(await check()).toMatchObject({ isVerified: true });
  for (const written of ['xn--bcher-kva.example', 'XN--Bcher-KVA.example.:80'])
    expect(await requestPage(service.url, written, '/feed.json')).toMatchObject({ status: 200 });
});

describe('link and endpoint', () => {
  const shown = async () => {
    const { page: it } = await execute(
      service,
      'query($p: ID!) { page(id: $p) { endpoint notices { nodes { link } } } }',
      {
        p: page,
      },
    );
    return [it.endpoint, it.notices.nodes[0].link.replace(/\/notices\/.*/, '')];
  };

  test('use the domain only while it is verified', async () => {
    await execute(
      service,
      'mutation($p: ID!) { openIncident(pageId: $p, input: { subject: "Down", shouldPublish: false }) { notice { id } } }',
      {
        p: page,
      },
    );
    const own = `http://${host(page)}:3000`;
    expect(await shown()).toEqual([host(page), own]);
    await claim();
    expect(await shown()).toEqual([domain, own]);
    holds(domain, { cname: host(page) });
    await check();
    expect(await shown()).toEqual([domain, `https://${domain}`]);
    await release();
    expect(await shown()).toEqual([host(page), own]);
  });
});

describe('a domain claimed by two pages', () => {
  test('belongs to the page that proves it', async () => {
    const other = await createPage();
    await claim(other);
    expect(await verify()).toMatchObject({ isVerified: true, finding: 'CNAME' });
    expect(await check(other)).toMatchObject({ isVerified: false, finding: 'OTHER_PAGE' });
    expect(await refusedClaim(other)).toEqual({ domain: ['TAKEN'] });
  });

  test('belongs to one page if both prove it at once, and is taken for the other', async () => {
    const pages = [page, ...(await Promise.all([1, 2, 3].map(createPage)))];
    const claims = await Promise.all(pages.map(id => claim(id)));
    holds(claims[0].txtName, { txt: claims.map(({ txtValue }) => txtValue) });
    const found = await Promise.all(pages.flatMap(id => [check(id), check(id)]));
    expect(new Set(found.map(({ finding }) => finding))).toEqual(new Set(['TXT', 'TAKEN']));
    const after = await Promise.all(pages.map(id => read(id)));
    expect(after.map(({ isVerified }) => isVerified).toSorted()).toEqual([false, false, false, true]);
    expect(after.find(({ finding }) => finding === 'TAKEN').findingText).toMatch(/Another page has the domain/);
  });

  test('is never free between its release by one page and its verification by the other', async () => {
    const other = await createPage();
    const { txtName, txtValue } = await claim(other);
    await verify();
    holds(txtName, { txt: [txtValue] });
    const [, released] = await Promise.all([check(other), release(), check(other)]);
    expect(released.json.errors).toBeUndefined();
    expect(await read(other)).toMatchObject({ isVerified: false, finding: 'TAKEN' });
  });
});

describe('a released domain', () => {
  const giveUp: [string, () => Promise<unknown>][] = [
    ['deleted', () => release()],
    ['replaced', () => claim(page, `other.${domain}`)],
  ];
  test.each(giveUp)('is reserved to its page for 30 days after %s', async (_, give) => {
    const other = await createPage();
    await verify();
    await give();
    expect(await refusedClaim(other)).toEqual({ domain: ['TAKEN'] });
    const reserve = (days: string) =>
      service.database.query('update domain_reservation set until = until - $2::interval where domain = $1', [
        domain,
        days,
      ]);
    await reserve('29 days 23 hours');
    expect(await refusedClaim(other)).toEqual({ domain: ['TAKEN'] });
    await reserve('1 hour');
    expect(await verify(other)).toMatchObject({ isVerified: true });
  });

  test('can be claimed and verified again by its page', async () => {
    await verify();
    await release();
    expect(await claim()).toMatchObject({ domain, isVerified: false });
    expect(await check()).toMatchObject({ isVerified: true, finding: 'CNAME' });
  });

  test('cannot be verified by another page that claimed it earlier', async () => {
    const other = await createPage();
    const { txtName, txtValue } = await claim(other);
    await verify();
    await release();
    holds(txtName, { txt: [txtValue] });
    expect(await check(other)).toMatchObject({ isVerified: false, finding: 'TAKEN' });
  });

  test('is free at once if it was only claimed, or if its page is deleted', async () => {
    const other = await createPage();
    const third = await createPage();
    await claim();
    await release();
    expect(await verify(other)).toMatchObject({ isVerified: true });
    await write('deletePage(id: $p) { deletedId }', other);
    expect(await verify(third)).toMatchObject({ isVerified: true });
  });
});

describe('a claim that is not verified in 7 days', () => {
  test('expires, and is not checked any more until it is made again', async () => {
    const { txtValue } = await claim();
    holds(domain, { cname: host(page) });
    await age(`claimed_at = claimed_at - interval '7 days', next_check_at = now() - interval '1 ms'`);
    const other = await createPage();
    await claim(other, `other.${domain}`);
    await age(`next_check_at = now() - interval '1 ms'`, other);
    await checkDueDomains(service.database, dnsOptions());
    expect(await read(other)).toMatchObject({ finding: 'NOTHING' });
    expect((await write('checkCustomDomain(pageId: $p) { page { id } }')).json.errors[0].extensions.code).toBe(
      'NOT_FOUND',
    );
    expect(dns.queries.filter(question => question.endsWith(` ${domain}`))).toEqual([]);
    expect(await claim()).toMatchObject({ txtValue, isVerified: false, checkedAt: null });
    expect(await check()).toMatchObject({ isVerified: true });
  });
});

describe('a verified domain whose records change', () => {
  test('stays verified for 7 days with a finding, and becomes a claim then', async () => {
    await verify();
    holds(domain, { cname: 'elsewhere.example' });
    const missing = await check();
    expect(missing).toMatchObject({ isVerified: true, finding: 'ELSEWHERE', missingSince: missing.checkedAt });
    await age(`missing_since = missing_since - interval '6 days 23 hours'`);
    expect(await check()).toMatchObject({ isVerified: true, finding: 'ELSEWHERE' });
    await age(`missing_since = missing_since - interval '1 hour'`);
    expect(await check()).toMatchObject({
      isVerified: false,
      verifiedAt: null,
      missingSince: null,
      finding: 'ELSEWHERE',
      version: 3,
    });
    const other = await createPage();
    expect(await verify(other)).toMatchObject({ isVerified: true });
  });

  test('recovers with its records, and is not lost while DNS does not respond', async () => {
    await verify();
    holds(domain, {});
    await check();
    await age(`missing_since = missing_since - interval '8 days'`);
    holds(domain, { fails: 'SERVFAIL' });
    expect(await check()).toMatchObject({ isVerified: true, finding: 'UNANSWERED', missingSince: expect.any(String) });
    holds(domain, { cname: host(page) });
    expect(await check()).toMatchObject({ isVerified: true, finding: 'CNAME', missingSince: null });
  });
});

describe('the background check', () => {
  const questions = () => dns.queries.filter(question => question === `CNAME ${domain}`).length;

  test('checks a domain when it is due, and not before', async () => {
    await claim();
    holds(domain, { cname: host(page) });
    await checkDueDomains(service.database, dnsOptions());
    expect([questions(), (await read()).isVerified]).toEqual([0, false]);
    await age(`next_check_at = now() - interval '1 ms'`);
    await checkDueDomains(service.database, dnsOptions());
    const { isVerified, checkedAt, nextCheckAt } = await read();
    expect([questions(), isVerified]).toEqual([1, true]);
    expect(Date.parse(nextCheckAt) - Date.parse(checkedAt)).toBe(86_400_000);
  });

  test('runs in only one of several processes', async () => {
    await claim();
    await age(`next_check_at = now() - interval '1 ms'`);
    await Promise.all(Array.from({ length: 5 }, () => checkDueDomains(service.database, dnsOptions())));
    expect([questions(), (await read()).finding]).toEqual([1, 'NOTHING']);
  });

  test('checks all domains that are due, even if one is deleted meanwhile', async () => {
    const others = await Promise.all(Array.from({ length: 5 }, createPage));
    for (const id of [page, ...others]) {
      await claim(id, `${id}.example`);
      holds(`${id}.example`, { cname: host(id) });
      await age(`next_check_at = now() - interval '1 ms'`, id);
    }
    await Promise.all([checkDueDomains(service.database, dnsOptions()), write('deletePage(id: $p) { deletedId }')]);
    for (const id of others) expect(await read(id)).toMatchObject({ isVerified: true });
  });

  test('repeats until it is stopped, and stops even while DNS does not respond', async () => {
    await claim();
    holds(domain, { fails: 'silence' });
    await age(`next_check_at = now() - interval '1 ms'`);
    const stop = poll(createDomainTask(service.database, dnsOptions()), service.database.log, new Heartbeats());
    for (let attempt = 0; attempt < 1_000 && !questions(); attempt++) await read();
    await stop();
    expect([questions(), (await read()).checkedAt]).toEqual([1, null]);
  });
});
