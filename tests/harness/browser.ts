import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after } from 'node:test';
import { type BrowserServer, type Browser as Chromium, chromium, type Page } from 'playwright-core';
import { LONG } from '../soak/length.ts';
import { lacks } from './install.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/**
 * Where runs with PICTURES=1 write screenshots of the pages. They are for people, and take as long as the tests
 * themselves.
 */
const PICTURES = join(import.meta.dirname, '../..', 'build', 'screenshots');
const PICTURED = process.env.PICTURES === '1';
/** The headless shell comes first: a page takes a third of the processor time that Chromium needs for it. */
const PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--in-process-gpu',
  '--disable-background-networking',
  '--disable-dev-shm-usage',
  // The tabs of a window share a process, and no script runs for as long as an optimizing compiler takes.
  '--renderer-process-limit=1',
  '--js-flags=--no-opt',
];

/** Maximum time of any browser operation; a test that measures time sets its own limit. */
const MAX_MS = 60_000;
/** Of the windows that pages must fit, in pixels (WCAG 2.2, 1.4.10). */
const NARROWEST = 320;
const WIDE = 1280;

export type Theme = 'light' | 'dark';

export interface Look {
  readonly width?: number;
  readonly theme?: Theme;
  readonly scripts?: boolean;
  readonly touch?: boolean;
  /** One that no test had and none gets after it: with an empty cache, or to change more than what is cleared. */
  readonly fresh?: boolean;
}

/**
 * The looks in which a scenario runs: `npm test` takes the first, in which `assertPage` sees to the layout at other widths
 * as well; `npm run soak` takes each.
 */
export const looks = <T>(all: readonly T[]): readonly T[] => (LONG || PICTURED ? all : all.slice(0, 1));

/** A tab with the errors that occurred in it. */
export interface Tab {
  readonly page: Page;
  /** What the page's policy blocked, and what scripts threw. */
  readonly wrongs: readonly string[];
  /** Bytes received since it was opened. */
  readonly bytes: () => number;
}

export interface Browser {
  open(url: string, look?: Look): Promise<Tab>;
}

/**
 * Chromium logs this when a page changes before its transition was shown; the pages' own scripts start no transitions.
 */
const OF_BROWSER = /^Transition was (?:aborted|skipped)\b/;

/** Names the WebSocket URL of the Chromium that all test files of a run share. */
export const SHARED_BROWSER = 'TEST_SHARED_BROWSER';

/**
 * A real Chromium. The headless shell is installed where that is allowed, though there may be a Chromium with windows;
 * without either an Error says what to install.
 */
export async function startBrowser(): Promise<BrowserServer> {
  const missing = lacks('chromium-headless-shell') && !PATHS.some(existsSync) && lacks('chromium');
  if (missing !== false) throw new Error(`This test ${missing}`);
  const executablePath = PATHS.find(existsSync) as string;
  return chromium.launchServer({ executablePath, args: ARGUMENTS });
}

/** A window with one tab, between tests as well: a new one takes three times the processor time of a page. */
interface Window {
  readonly page: Page;
  readonly scripts: boolean;
  readonly touch: boolean;
  wrongs: string[];
  bytes: number;
  /** Whether a test has it. */
  used: boolean;
}

async function openWindow(browser: Chromium, { scripts = true, touch = false }: Look): Promise<Window> {
  const context = await ended(
    'opening a window',
    browser.newContext({
      javaScriptEnabled: scripts,
      hasTouch: touch,
      isMobile: touch,
      reducedMotion: 'reduce',
      // A click on Copy needs this permission, which a browser with a window asks the user for.
      permissions: ['clipboard-write'],
    }),
  );
  const page = await ended('opening a tab', context.newPage());
  page.setDefaultTimeout(MAX_MS);
  const opened: Window = { page, scripts, touch, wrongs: [], bytes: 0, used: true };
  page.on('pageerror', ({ message }) => {
    if (!OF_BROWSER.test(message)) opened.wrongs.push(`threw: ${message}`);
  });
  page.on('console', (message) => {
    const text = message.text();
    // A page that requests something may get an error as its answer; that is no error of the page.
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) opened.wrongs.push(text);
  });
  page.on('dialog', async (dialog) => {
    if (!opened.used) return dialog.accept();
    opened.wrongs.push(`asked: ${dialog.message()}`);
    await dialog.dismiss();
  });
  const network = await ended('looking at the network', context.newCDPSession(page));
  await ended('looking at the network', network.send('Network.enable'));
  network.on('Network.loadingFinished', ({ encodedDataLength }) => {
    opened.bytes += encodedDataLength;
  });
  return opened;
}

/** Leaves the window without pages, cookies and storage, as a new one is. */
async function empty({ page }: Window): Promise<void> {
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  // A page that shows no document of a site has no storage.
  await page.evaluate('sessionStorage.clear(); localStorage.clear()').catch(() => undefined);
  await page.goto('about:blank');
  await context.clearCookies();
}

/**
 * Windows for a test file, closed after its last test: of the run's Chromium, or of one of its own where a file runs
 * alone. Each window has its own cookies and storage. The context of one that a test closes is emptied for a later test.
 */
export async function openBrowser(): Promise<Browser> {
  const shared = process.env[SHARED_BROWSER];
  const ownServer = shared === undefined ? await startBrowser() : undefined;
  const browser = await chromium.connect(shared ?? (ownServer as BrowserServer).wsEndpoint());
  after(async () => {
    await ended('closing the windows', browser.close());
    if (ownServer !== undefined) await ended('closing the browser', ownServer.close());
  });
  const free: Window[] = [];
  return {
    async open(url, look = {}) {
      const { width = 1280, theme = 'light', scripts = true, touch = false, fresh = false } = look;
      const at = fresh ? -1 : free.findIndex((one) => one.scripts === scripts && one.touch === touch);
      const opened = free.splice(at, at === -1 ? 0 : 1)[0] ?? (await openWindow(browser, look));
      Object.assign(opened, { wrongs: [], bytes: 0, used: true });
      const { page, wrongs } = opened;
      const context = page.context();
      const close = context.close.bind(context);
      context.close = async () => {
        opened.used = false;
        context.close = close;
        if (fresh) return ended('closing a window', close());
        await ended('leaving a window', empty(opened));
        free.push(opened);
      };
      await page.setViewportSize({ width, height: width < 640 ? 844 : 900 });
      await page.emulateMedia({ colorScheme: theme });
      await page.goto(url);
      return { page, wrongs, bytes: () => opened.bytes };
    },
  };
}

/** The result of the promise, or an Error that names `what` when it takes too long. */
async function ended<T>(what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`Chromium hangs: ${what} took more than ${MAX_MS} ms.`)), MAX_MS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** AssertionError with what axe-core finds on the current page (WCAG 2.2 A and AA, best practices). */
export const assertAccessible = (page: Page, name: string): Promise<void> => audit(page, name);

/** The names of pages that were looked at, by the windows of each file. */
const seen = new WeakMap<object, Set<string>>();
/** Tabs whose pages bring axe-core, to be run by `loadAxe`: it is large, so it is not sent to each page again. */
const equipped = new WeakSet<Page>();

/**
 * Checks that the page fits the window, as it is and at 320 px, and that axe-core finds nothing on it: once for each name
 * in a file, at the first width and theme, and in `npm run soak` each time and at every width, with its contrast in both
 * themes. What has a name that was there before must fit the window as it is.
 */
export async function assertPage(page: Page, name: string, theme: Theme = 'light', fullPicture = true): Promise<void> {
  // A page during its fade-in would fail the contrast check, and a full-page picture would end the fade-in.
  // A function, because text is evaluated at each look, which a page's policy refuses after the first.
  await page.waitForFunction(
    () => !(globalThis as unknown as Shown).document.documentElement.matches(':active-view-transition'),
  );
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 900 };
  const other: Theme = theme === 'light' ? 'dark' : 'light';
  for (const shown of LONG || PICTURED ? [other, theme] : []) {
    await page.emulateMedia({ colorScheme: shown });
    await keepPicture(page, `${name}-${width}-${shown}`, fullPicture);
    if (LONG && shown === other) await audit(page, `${name}, ${width}, ${shown}`, ['color-contrast']);
  }
  const windows = page.context().browser() ?? page;
  const names = seen.get(windows) ?? new Set();
  seen.set(windows, names);
  const again = names.has(name) && !LONG;
  names.add(name);
  if (!again) await audit(page, `${name}, ${width}, ${theme}`);
  await assertFits(page, name);
  if (width <= NARROWEST || again) return;
  for (const other of width < WIDE && !LONG ? [WIDE, NARROWEST] : [NARROWEST]) {
    await page.setViewportSize({ width: other, height });
    await assertFits(page, `${name} at ${other} px`);
  }
  await page.setViewportSize({ width, height });
}

/** Checks these rules of axe-core, or all when none is given. */
async function audit(page: Page, name: string, rules: readonly string[] = []): Promise<void> {
  if (!equipped.has(page)) {
    equipped.add(page);
    await page.addInitScript({ content: `globalThis.loadAxe = () => {${AXE}\n};` });
  }
  if (!(await page.evaluate<boolean>('globalThis.axe ?? globalThis.loadAxe?.(); "axe" in globalThis'))) {
    await page.evaluate(AXE);
  }
  const found = await page.evaluate(
    async (options) => {
      const { axe } = globalThis as unknown as Axe;
      const { violations } = await axe.run(options);
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
      );
    },
    // The pages load nothing from elsewhere, so there is nothing to preload.
    { resultTypes: ['violations'], preload: false, ...(rules.length > 0 && { runOnly: rules }) },
  );
  assert.deepEqual(found, [], name);
}

interface Shown {
  readonly document: { readonly documentElement: { matches(selector: string): boolean } };
}

interface Axe {
  readonly axe: { run(options: object): Promise<{ violations: readonly Violation[] }> };
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Nothing is wider than the window, because a phone should scroll in one direction only. */
export async function assertFits(page: Page, name: string): Promise<void> {
  const [wide, window] = await page.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]');
  assert.ok((wide as number) <= (window as number), `${name}: ${wide} px wide in a window of ${window}`);
}

/** With PICTURES=1 saves a screenshot of the page, or of its visible part, in `build/screenshots/`. */
export async function keepPicture(page: Page, name: string, fullPage = true): Promise<void> {
  if (!PICTURED) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage });
}
