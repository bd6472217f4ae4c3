import { describe, expect, test } from '@jest/globals';
import { buildSchema, type GraphQLObjectType } from 'graphql';
import {
  type Access,
  accessLevels,
  type Caller,
  checkDeclarations,
  findAccess,
  findReadablePages,
  findTurn,
  requireAccess,
} from '../../../src/auth/access.js';
import {
  grantEverywhere,
  type Grants,
  intersectGrants,
  type Role,
  roleOn,
  roles,
  toGrants,
} from '../../../src/auth/roles.js';
import { schema } from '../../../src/schema.js';

const codeOf = (run: () => void): string | undefined => {
  try {
    run();
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const callerWith = (grants: Grants): Caller => ({ kind: 'token', key: '1', grants });
const onPage = (role: Role, everywhere: Role | null = null): Grants => ({
  everywhere,
  pages: { one: role },
  firstPage: 'one',
  hasReadScope: false,
});

describe('Declarations', () => {
  test('exist for every root field', () => {
    const roots = [schema.getQueryType()!, schema.getMutationType()!, schema.getSubscriptionType()!];
    expect(() => checkDeclarations(roots)).not.toThrow();
    const undeclared = roots.flatMap(root => Object.values(root.getFields()).filter(field => !findAccess(field)));
    expect(undeclared.map(({ name }) => name)).toEqual([]);
  });

  test('that are missing fail the start, and the error says what to add', () => {
    const { hello } = buildSchema('type Query { hello: String }').getQueryType()!.getFields();
    const root = { name: 'Query', getFields: () => ({ hello }) } as unknown as GraphQLObjectType;
    expect(() => checkDeclarations([root])).toThrow(
      /^Query\.hello declares no access: name the role that it requires, as in @WriteMutation\(/,
    );
  });
});

describe('requireAccess', () => {
  const levels = Object.keys(accessLevels) as Access[];

  test('allows a role what each lower role may, on its page', () => {
    for (const role of roles) {
      const allowed = levels.filter(
        access => !codeOf(() => requireAccess(callerWith(onPage(role)), access, { pageId: 'one', isWrite: true })),
      );
      const alike: Record<string, string[]> = {
        publisher: ['recipients'],
        owner: ['channels', 'administrator', 'guardedOwner'],
      };
      const ofRoles = roles.slice(0, roles.indexOf(role) + 1).flatMap(one => [one, ...(alike[one] ?? [])]);
      const expected = ['everyone', 'page', 'public', ...ofRoles];
      expect([role, allowed]).toEqual([role, expected]);
    }
  });

  test('answers for another page as for one that does not exist, whatever the role', () => {
    for (const access of levels.filter(level => level !== 'everyone'))
      expect([access, codeOf(() => requireAccess(callerWith(onPage('owner')), access, { pageId: 'two' }))]).toEqual([
        access,
        'NOT_FOUND',
      ]);
  });

  test('requires OWNER of all pages for what belongs to none', () => {
    const check = (grants: Grants) =>
      codeOf(() => requireAccess(callerWith(grants), 'ownerOfAllPages', { isWrite: true }));
    expect(check(onPage('owner'))).toBe('FORBIDDEN');
    expect(check(grantEverywhere('publisher'))).toBe('FORBIDDEN');
    expect(check(grantEverywhere('owner'))).toBeUndefined();
  });

  test('takes the higher of the role on the page and on all pages', () => {
    expect(roleOn(onPage('owner', 'viewer'), 'one')).toBe('owner');
    expect(roleOn(onPage('viewer', 'publisher'), 'one')).toBe('publisher');
    expect(roleOn(onPage('owner', 'viewer'), 'two')).toBe('viewer');
    expect(roleOn(onPage('owner'), 'constructor')).toBeNull();
  });

  test('lets a token of scope read read what a viewer may, recipients and channels, and write nothing', () => {
    const caller = callerWith(grantEverywhere('viewer', true));
    for (const access of ['viewer', 'recipients', 'channels'] as const) {
      expect(codeOf(() => requireAccess(caller, access, { pageId: 'one' }))).toBeUndefined();
      expect(findReadablePages(caller, [access])).toBeNull();
    }
    for (const access of ['drafter', 'publisher', 'owner', 'administrator'] as const) {
      expect(codeOf(() => requireAccess(caller, access, { pageId: 'one' }))).toBe('FORBIDDEN');
      expect(findReadablePages(caller, [access])).toEqual([]);
    }
    expect(codeOf(() => requireAccess(caller, 'recipients', { pageId: 'one', isWrite: true }))).toBe('FORBIDDEN');
  });
});

describe('findReadablePages', () => {
  const caller = callerWith({
    everywhere: null,
    pages: { one: 'viewer', two: 'publisher' },
    firstPage: 'one',
    hasReadScope: false,
  });

  test('limits a read without a page to those with all required roles', () => {
    expect(findReadablePages(caller, [])).toEqual(['one', 'two']);
    expect(findReadablePages(caller, ['viewer', 'publisher'])).toEqual(['two']);
    expect(findReadablePages(callerWith(onPage('owner', 'viewer')), ['publisher'])).toEqual(['one']);
    expect(findReadablePages(callerWith(onPage('owner', 'viewer')), ['viewer'])).toBeNull();
  });
});

const onPageOf = (pageId: string) => toGrants([{ pageId, role: 'viewer' }]);

describe('A caller takes turns', () => {
  const everywhere = grantEverywhere('owner');
  // As names of members, the second one would be the first.
  const person = toGrants(['2017f84a', '10000000'].map(pageId => ({ pageId, role: 'publisher' })));

  test.each([
    ['of the page of the role that was given first', person, 'page 2017f84a'],
    ['by a token of a person, as that person', intersectGrants(everywhere, person), 'page 2017f84a'],
    ['by a token for one of the pages, of that page', intersectGrants(onPageOf('10000000'), person), 'page 10000000'],
    ['of their own, with a role on all pages', everywhere, '1'],
    ['of their own, without a role', toGrants([]), '1'],
  ])('%s', (_, grants, page) => {
    expect(findTurn(callerWith(grants))).toEqual([page, '1']);
  });
});
