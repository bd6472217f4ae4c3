import { setImmediate } from 'node:timers/promises';
import { expect, jest, test } from '@jest/globals';
import type { Caller, Sender } from '../../../src/auth/access.js';
import { grantEverywhere, toGrants } from '../../../src/auth/roles.js';
import { Admission, type AdmissionOptions, embeddedConnections } from '../../../src/http/admission/admission.js';
import type { Priority } from '../../../src/http/admission/request-classes.js';

const priorities: Priority[] = ['list', 'read', 'write', 'noticeWrite'];
const createAdmission = (options: Partial<AdmissionOptions> = {}) =>
  new Admission({ maxRequests: 100, connections: 100, ...options });

/** Sends a request. `state` is that of its work. */
function send(admission: Admission, priority: Priority, caller?: Caller | Sender) {
  const request = { state: 'waits' as 'waits' | 'runs', end: () => {}, result: Promise.resolve() };
  request.result = admission.run(
    priority,
    () => {
      request.state = 'runs';
      return new Promise<void>(done => (request.end = done));
    },
    caller,
  );
  request.result.catch(() => {});
  return request;
}
/** Until five queries have begun: each waits for at most 64 iterations of the event loop. */
async function takeTurns(count = 5 * 64): Promise<void> {
  for (let turn = 0; turn < count; turn++) await setImmediate();
}
const sendMany = (admission: Admission, priority: Priority, count: number) =>
  Array.from({ length: count }, () => send(admission, priority));
const token = (key: string): Caller => ({ kind: 'token', key, grants: grantEverywhere('viewer') });
const tokenOf = (pageId: string, key: string): Caller => ({
  kind: 'token',
  key,
  grants: toGrants([{ pageId, role: 'publisher' }]),
});
const countRunning = (requests: { state: string }[]) => requests.filter(({ state }) => state === 'runs').length;
const refusal = { code: 'UNAVAILABLE', details: { retryAfter: 1 } };

test('admits lists up to a quarter of the limit, reads up to half, writes up to three quarters, and of notices up to all', async () => {
  const admission = createAdmission({ maxRequests: 8 });
  for (const priority of priorities) {
    const requests = sendMany(admission, priority, 3);
    await takeTurns();
    expect([priority, countRunning(requests)]).toEqual([priority, 2]);
    await expect(requests[2]!.result).rejects.toMatchObject(refusal);
  }
  expect([admission.requestsInProgress, admission.refusedRequests]).toEqual([8, 4]);
});

test('admits four GraphQL queries without a token, and refuses the next at once', async () => {
  const admission = createAdmission();
  const queries = sendMany(admission, 'anonymousQuery', 5);
  await expect(queries[4]!.result).rejects.toMatchObject(refusal);
  const list = send(admission, 'list');
  await takeTurns();
  expect(countRunning([...queries, list])).toBe(5);
  queries[0]!.end();
  await queries[0]!.result;
  const next = send(admission, 'anonymousQuery');
  await takeTurns();
  expect(next.state).toBe('runs');
});

test('queries, and the parsing of what is large, begin one after another', async () => {
  const admission = createAdmission();
  const began: string[] = [];
  const note = async () => void began.push('work');
  const work = [
    ...(['anonymousQuery', 'anonymousQuery', 'list', 'read'] as const).map(priority => admission.run(priority, note)),
    ...[20_000, 1_000_000].map(bytes => admission.beginParsing(bytes, token('a')).then(note)),
  ];
  // What arrives meanwhile is handled between two of them.
  while (began.filter(name => name === 'work').length < work.length) {
    began.push('other');
    await setImmediate();
  }
  await Promise.all(work);
  expect(began.join(' ')).not.toContain('work work');
});

test('refuses to parse what would wait for a second', async () => {
  const admission = createAdmission();
  const bodies = Array.from({ length: 65 }, () => admission.beginParsing(20_000, token('a')));
  await expect(bodies[64]).rejects.toMatchObject(refusal);
  await Promise.all(bodies.slice(0, 64));
  await admission.beginParsing(1_000, token('a'));
  expect(admission.refusedRequests).toBe(1);
});

test('of a page at most 64 requests wait for a turn, 32 of a caller, and another page has the next turn but one', async () => {
  const admission = createAdmission();
  const order: string[] = [];
  const parse = (pageId: string, key: string) =>
    admission.beginParsing(20_000, tokenOf(pageId, key)).then(() => order.push(key));
  const parseMany = (pageId: string, key: string) => Array.from({ length: 32 }, () => parse(pageId, key));
  const ofPage = [...parseMany('a', 'a1'), ...parseMany('a', 'a2')];
  await expect(parse('a', 'a1')).rejects.toMatchObject(refusal);
  await expect(parse('a', 'a3')).rejects.toMatchObject(refusal);
  const list = admission.run('list', async () => order.push('list of b'), tokenOf('b', 'b'));
  await Promise.all([...ofPage, parse('b', 'b'), list]);
  expect([order.indexOf('list of b'), order.indexOf('b')].map(index => index < 5)).toEqual([true, true]);
  expect(order.indexOf('a2')).toBeLessThan(5);
});

test('a request that ended, with or without an error, makes room for another', async () => {
  const admission = createAdmission({ maxRequests: 4 });
  const request = send(admission, 'list');
  await expect(send(admission, 'list').result).rejects.toMatchObject(refusal);
  await takeTurns();
  request.end();
  await request.result;
  await expect(admission.run('list', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await admission.run('list', async () => 'result')).toBe('result');
  expect(admission.requestsInProgress).toBe(0);
});

test('runs half as many requests of a class as there are connections', async () => {
  const admission = createAdmission({ maxRequests: 1_000, connections: 4 });
  const requests = priorities.map(priority => sendMany(admission, priority, 20));
  await takeTurns();
  expect(requests.map(countRunning)).toEqual([2, 2, 2, 2]);
  expect(admission.refusedRequests).toBe(0);
});

test('what waits for others for seconds takes no place of other classes, also with one connection', async () => {
  const admission = createAdmission({ connections: 1 });
  const slow = sendMany(admission, 'slow', 20);
  const others = priorities.map(priority => send(admission, priority));
  await takeTurns();
  expect(countRunning(slow)).toBe(16);
  expect(countRunning(others)).toBe(priorities.length);
  for (const { end } of [...slow, ...others]) end();
});

test('what waits for others takes no room of other classes, and of one page two run at a time', async () => {
  const admission = createAdmission({ maxRequests: 24, connections: 1 });
  const ofPage = ['1', '2', '3'].map(key => send(admission, 'slow', tokenOf('a', key)));
  const ofOther = send(admission, 'slow', tokenOf('b', '4'));
  const more = Array.from({ length: 8 }, (_, index) =>
    send(admission, 'slow', tokenOf('cd'[index % 2]!, `${5 + index}`)),
  );
  const others = [...priorities, 'signIn' as const].map(priority => send(admission, priority));
  await takeTurns();
  expect([countRunning(ofPage), countRunning([ofOther]), countRunning(more)]).toEqual([2, 1, 4]);
  expect(countRunning(others)).toBe(others.length);
  expect(admission.requestsInProgress).toBe(17);
  await expect(send(admission, 'slow').result).rejects.toMatchObject(refusal);
  ofPage[0]!.end();
  await ofPage[0]!.result;
  await setImmediate();
  expect(countRunning(ofPage)).toBe(3);
  for (const { end } of [...ofPage, ofOther, ...more, ...others]) end();
});

test('the requests of a class run in order of arrival', async () => {
  const admission = createAdmission({ connections: 1 });
  const requests = sendMany(admission, 'write', 3);
  for (const [index, request] of requests.entries()) {
    expect(requests.map(({ state }) => state)).toEqual(requests.map((_, other) => (other <= index ? 'runs' : 'waits')));
    request.end();
    await request.result;
  }
});

test('what yields waits until no notice is being written', async () => {
  const admission = createAdmission();
  await admission.yieldToNoticeWrites();
  const writes = sendMany(admission, 'noticeWrite', 2);
  let isDone = false;
  const yielding = admission.yieldToNoticeWrites().then(() => {
    isDone = true;
  });
  writes[0]!.end();
  await writes[0]!.result;
  await setImmediate();
  expect(isDone).toBe(false);
  writes[1]!.end();
  await yielding;
});

test('while the database does not answer, refuses requests, and the reads that are in progress', async () => {
  const admission = createAdmission({ connections: 2 });
  const unavailable = { code: 'UNAVAILABLE', details: { retryAfter: 5 } };
  const running = priorities.map(priority => send(admission, priority));
  const waiting = [send(admission, 'list'), send(admission, 'write')];
  await takeTurns();
  admission.suspend();
  for (const read of [running[0]!, running[1]!, waiting[0]!])
    await expect(read.result).rejects.toMatchObject(unavailable);
  for (const priority of priorities) await expect(send(admission, priority).result).rejects.toMatchObject(unavailable);
  await expect(admission.whileAvailable(async () => 'result')).rejects.toMatchObject(unavailable);
  // A write that has begun may be committed. One that waits does not begin.
  for (const { end } of running) end();
  await Promise.all([running[2]!.result, running[3]!.result]);
  await expect(waiting[1]!.result).rejects.toMatchObject(unavailable);
  await takeTurns();
  expect(waiting.map(({ state }) => state)).toEqual(['waits', 'waits']);
  expect([admission.requestsInProgress, admission.refusedRequests]).toEqual([0, 0]);
  admission.resume();
  expect(await admission.run('list', async () => 'result')).toBe('result');
});

test('callers take turns, and one takes half of the places at most', async () => {
  const admission = createAdmission({ maxRequests: 40, connections: 2 });
  const [busy, other] = [token('1'), token('2')];
  const many = Array.from({ length: 8 }, () => send(admission, 'list', busy));
  await takeTurns();
  // One runs, five wait.
  expect([countRunning(many), admission.requestsInProgress]).toEqual([1, 6]);
  await expect(many[6]!.result).rejects.toMatchObject(refusal);
  const late = [send(admission, 'list', other), send(admission, 'list')];
  await takeTurns();
  expect(countRunning(late)).toBe(0);
  // Without a caller it is first.
  for (const done of [many[0]!, late[1]!, late[0]!, many[1]!]) {
    expect(done.state).toBe('runs');
    done.end();
    await done.result;
    await takeTurns(64);
  }
  expect(many[2]!.state).toBe('runs');
});

test('pages take turns, whatever the number of their tokens, and on each page the tokens', async () => {
  const admission = createAdmission({ maxRequests: 400, connections: 2 });
  const running = send(admission, 'list', token('running'));
  await takeTurns();
  const [first, second] = ['a1', 'a2'].map(key =>
    Array.from({ length: 3 }, () => send(admission, 'list', tokenOf('a', key))),
  );
  const late = send(admission, 'list', tokenOf('a', 'a3'));
  const other = Array.from({ length: 3 }, () => send(admission, 'list', tokenOf('b', 'b1')));
  await takeTurns();
  const order = [
    ...[first![0]!, other[0]!, second![0]!, other[1]!, late, other[2]!],
    ...[first![1]!, second![1]!, first![2]!, second![2]!],
  ];
  for (const done of [running, ...order]) {
    expect(done.state).toBe('runs');
    done.end();
    await done.result;
    await takeTurns(64);
  }
});

test('requests of all classes for one page wait in 3 of 16 places, and those of one of its tokens in 2', async () => {
  const admission = createAdmission({ maxRequests: 80, connections: 2 });
  const running = priorities.map(priority => send(admission, priority, token('running')));
  await takeTurns();
  const refused = { first: 0, second: 0, third: 0 };
  for (const key of ['first', 'second', 'third'] as const) {
    for (const priority of [...priorities, ...priorities, ...priorities])
      send(admission, priority, tokenOf('a', key)).result.catch(() => (refused[key] += 1));
    await takeTurns();
  }
  expect(refused).toEqual({ first: 2, second: 7, third: 12 });
  expect(admission.requestsInProgress).toBe(running.length + 15);
  // Of the 20 places of lists, the smallest class, others have the rest.
  await takeTurns();
  expect(() => admission.check('list')).not.toThrow();
});

test.each(['list', 'read'] as const)(
  'two requests of the class %s of a page leave a place to another page',
  async priority => {
    const admission = createAdmission({ connections: 6 });
    const many = ['1', '2', '3', '4'].map(key => send(admission, priority, tokenOf('a', key)));
    await takeTurns();
    const other = send(admission, priority, tokenOf('b', 'other'));
    await takeTurns();
    expect([countRunning(many), other.state]).toEqual([2, 'runs']);
  },
);

test.each(priorities)(
  'on the embedded database one of the class %s of a page leaves a place to another page',
  async priority => {
    const admission = createAdmission({ connections: embeddedConnections, isEmbedded: true });
    const [many, other] = ['a', 'b'].map(page => send(admission, priority, tokenOf(page, page)));
    await takeTurns();
    expect([many!.state, other!.state]).toEqual(['runs', 'runs']);
  },
);

test('reads of a caller with a role on all pages run three at a time', async () => {
  const admission = createAdmission({ connections: 6, isEmbedded: true });
  const reads = Array.from({ length: 4 }, () => send(admission, 'read', token('operator')));
  await takeTurns();
  expect(countRunning(reads)).toBe(3);
});

test('two writes of notices of a page run at a time, in turns of its callers, and leave places to other pages', async () => {
  const admission = createAdmission({ maxRequests: 16, connections: 8 });
  const sendAll = (key: string) => Array.from({ length: 4 }, () => send(admission, 'noticeWrite', tokenOf('a', key)));
  const [first, second] = [sendAll('1'), sendAll('2')] as const;
  await takeTurns();
  expect([countRunning(first), countRunning(second)]).toEqual([2, 0]);
  await expect(second[3]!.result).rejects.toMatchObject(refusal);
  const ofOperator = send(admission, 'noticeWrite', token('operator'));
  await takeTurns();
  expect(ofOperator.state).toBe('runs');
  first[0]!.end();
  await takeTurns();
  expect([countRunning(first), countRunning(second)]).toEqual([2, 1]);
  first[1]!.end();
  await takeTurns();
  expect([countRunning(first), countRunning(second)]).toEqual([3, 1]);
});

test.each(['list', 'read', 'write'] as const)(
  'on the embedded database a page has one %s at a time, and rests after one that took long',
  async priority => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const timer = jest.spyOn(globalThis, 'setTimeout').mockReturnValue({ unref: () => {} } as NodeJS.Timeout);
    try {
      const admission = createAdmission({ isEmbedded: true });
      const one = tokenOf('aaaa0001', 'one');
      const [first, second] = [send(admission, priority, one), send(admission, priority, one)];
      const other = send(admission, priority, tokenOf('aaaa0002', 'other'));
      const owner = token('of all pages');
      const ofOwner = [send(admission, priority, owner), send(admission, priority, owner)];
      await takeTurns();
      expect([first, second, other, ...ofOwner].map(({ state }) => state)).toEqual([
        'runs',
        'waits',
        'runs',
        'runs',
        'runs',
      ]);
      now += 400;
      for (const request of [first, other, ofOwner[0]!]) request.end();
      await takeTurns();
      expect(timer.mock.calls.map(([, ms]) => ms)).toEqual([400, 400]);
      expect([second.state, ofOwner[1]!.state]).toEqual(['waits', 'runs']);
    } finally {
      jest.restoreAllMocks();
    }
  },
);

test('those without a token are one caller, so that many of them do not delay the second request of another', async () => {
  const admission = createAdmission({ maxRequests: 100, connections: 2 });
  const anonymous: Caller = { kind: 'anonymous', reads: 'public' };
  const first = send(admission, 'list', anonymous);
  await takeTurns();
  const many = Array.from({ length: 4 }, () => send(admission, 'list', anonymous));
  await takeTurns();
  const ofOther = [send(admission, 'list', token('1')), send(admission, 'list', token('1'))];
  await takeTurns();
  for (const done of [first, ofOther[0]!, many[0]!, ofOther[1]!, many[1]!, many[2]!]) {
    expect(done.state).toBe('runs');
    done.end();
    await done.result;
    await takeTurns(64);
  }
});

test('the sources of alerts of a page take its turns, however many there are', async () => {
  const admission = createAdmission({ connections: 1 });
  const sources = Array.from({ length: 6 }, (_, index) =>
    send(admission, 'write', { key: `alert source ${index}`, pageId: 'a' }),
  );
  const other = send(admission, 'write', { key: 'alert source 9', pageId: 'b' });
  sources[0]!.end();
  await sources[0]!.result;
  await takeTurns(4);
  expect([countRunning(sources), other.state]).toEqual([1, 'runs']);
});
