import { createServer, type AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import type { Role } from '../../src/auth/roles.js';
import { createSignInCode } from '../../src/auth/session.service.js';
import type { Settings } from '../../src/core/config.js';
import { serviceOrigin } from '../../src/db/audit.js';
import { invitePerson } from '../../src/people/person.service.js';
import { Writer } from '../../src/records/writer.js';
import { type TestBrowser, useBrowser } from './browser.js';
import { shareService, startTestService, stopAndClear, type TestService } from './service.js';
import { withChannels } from './settings.js';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js';

const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

/**
 * Starts a service at the address that it is public at: a session counts for its own origin alone. Other settings may
 * depend on that address.
 */
export async function startConsoleService(
  overrides: Partial<Settings> = {},
  toSettings: (publicUrl: string) => Partial<Settings> = () => ({}),
): Promise<TestService> {
  const port = await findFreePort();
  const publicUrl = `http://localhost:${port}`;
  const settings = { port, host: 'localhost', publicUrl, ...overrides, ...toSettings(publicUrl) };
  const service = await startTestService(settings);
  return Object.assign(service, { url: publicUrl });
}

interface Console {
  service: TestService;
  browser: TestBrowser;
  signIn(options?: PersonOptions): Promise<ConsoleVisitor>;
}

type SettingsOfConsole = Partial<Settings> | (() => Promise<Partial<Settings>>);

/**
 * Has the console of this process for the tests of the calling `describe`, before its own `beforeAll`, and a browser. It
 * has the pages and people of the test files before: a test sees its own by the role that a person has on its page.
 */
export function useConsole(): Console {
  return createConsole(() => shareService('console', () => startConsoleService(withChannels)));
}

/** Has a console of its own, for files that read what is not of a page, and with other settings. */
export function useOwnConsole(
  settings: SettingsOfConsole = {},
  toSettings?: (publicUrl: string) => Partial<Settings>,
): Console {
  const console = createConsole(async () =>
    startConsoleService(typeof settings === 'function' ? await settings() : settings, toSettings),
  );
  afterAll(() => stopAndClear(console.service));
  return console;
}

function createConsole(start: () => Promise<TestService>): Console {
  const service = {} as TestService;
  const browser = useBrowser();
  beforeAll(async () => {
    Object.assign(service, await start());
  });
  return { service, browser, signIn: options => signIn(service, browser, options) };
}

/** Starts a service for the console behind a proxy that can cut the network. */
export async function startConsoleServiceBehindProxy(
  overrides: Partial<Settings> = {},
): Promise<{ service: TestService; proxy: TcpProxy }> {
  const port = await findFreePort();
  const proxy = await startTcpProxy(`http://localhost:${port}`);
  const publicUrl = new URL(proxy.url).origin;
  const service = await startTestService({ port, host: 'localhost', publicUrl, ...overrides });
  return { service: Object.assign(service, { url: publicUrl }), proxy };
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, 'localhost', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

export const phone = { width: 360, height: 740 };
export const desktop = { width: 1440, height: 900 };

interface PersonOptions {
  role?: Role;
  /** Null: all pages. */
  pageIds?: string[] | null;
  viewport?: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
  timezoneId?: string;
}

/** A signed-in browser of a person. */
export interface ConsoleVisitor {
  context: BrowserContext;
  page: Page;
  /** What must not happen: errors of scripts, refusals of the policy, requests to other origins. */
  problems: string[];
  open(path: string): Promise<void>;
}

export async function signIn(
  service: TestService,
  browser: TestBrowser,
  options: PersonOptions = {},
): Promise<ConsoleVisitor> {
  const { role = 'owner', pageIds = null, timezoneId = 'Europe/Berlin' } = options;
  const { viewport = desktop, colorScheme = 'light' } = options;
  const writer = new Writer(service.database, { origin: serviceOrigin('command', 'test') });
  const email = `${role}-${Math.random().toString(36).slice(2)}@example.com`;
  const personId = await writer.transaction(unit => invitePerson(unit, email, role, pageIds));
  const code = await createSignInCode(service.database, personId);
  const signedIn = await service.call('POST', `/sign-in/${code}`, { token: null, headers: { origin: service.url } });
  const [, name, value] = /^([^=]+)=([^;]+)/.exec(signedIn.headers.get('set-cookie')!)!;
  const context = await browser.newContext({ viewport, colorScheme, timezoneId, locale: 'en-GB' });
  await context.addCookies([{ name: name!, value: value!, url: service.url, httpOnly: true, sameSite: 'Lax' }]);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', message => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', error => problems.push(error.message));
  page.on('request', request => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && origin !== service.url) problems.push(`request to ${request.url()}`);
  });
  const open = async (path: string) => {
    await page.goto(`${service.url}/console${path}`);
    await page.locator('h1').first().waitFor();
  };
  return { context, page, problems, open };
}

/** Sets how long messages of the page wait before they leave. */
export const setHoldSeconds = (service: TestService, id: string, seconds: number) =>
  service.graphql(
    'mutation($id: ID!, $seconds: Int) { updatePage(id: $id, input: { holdSeconds: $seconds }) { page { id } } }',
    { id, seconds },
  );

/** Ends the session as another tab of the same browser does. */
export async function signOutElsewhere(context: BrowserContext, origin: string): Promise<void> {
  const query = 'mutation { signOut { __typename } }';
  await context.request.post(`${origin}/graphql`, { headers: { origin }, data: { query } });
}

/** Of axe: those that depend on colours. The others find the same in each look of one size. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

/** What axe finds on the screen by all of its rules, or by these, and text that is wider than the screen. */
export async function findFlaws(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe);
  const options = JSON.stringify({ iframes: false, ...(rules && { runOnly: { type: 'rule', values: rules } }) });
  const violations = (await page.evaluate(`axe.run(document, ${options}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ': ' + target + ' ' + failureSummary)))`)) as string[];
  const overflow = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
  return overflow > 0 ? [...violations, `scrolls sideways by ${overflow} px`] : violations;
}

type Look = Required<Pick<PersonOptions, 'viewport' | 'colorScheme'>>;

const looks: Look[] = [
  { viewport: phone, colorScheme: 'light' },
  { viewport: desktop, colorScheme: 'dark' },
];
/** For the screens that are used most. */
export const allLooks: Look[] = [
  ...looks,
  { viewport: phone, colorScheme: 'dark' },
  { viewport: desktop, colorScheme: 'light' },
];

/** The flaws of a screen in several looks; its size is as before afterwards. */
export async function findFlawsInLooks(page: Page, screenLooks = looks): Promise<string[]> {
  const before = page.viewportSize()!;
  const flaws: string[] = [];
  const widths = new Set<number>();
  for (const { viewport, colorScheme } of screenLooks) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    const found = await findFlaws(page, widths.has(viewport.width) ? rulesOfColours : undefined);
    widths.add(viewport.width);
    flaws.push(...found.map(flaw => `${colorScheme}, ${viewport.width} px: ${flaw}`));
  }
  await page.setViewportSize(before);
  return flaws;
}
