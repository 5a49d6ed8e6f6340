import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Browser as Chromium, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { lacks } from './install.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Pictures of the pages, made anew by each run with PICTURES=1: they are for people, and take as long as what is tested. */
const PICTURES = join(import.meta.dirname, '..', '..', 'build', 'screenshots');
/** The one without a window to draw first: a page takes it a fifth of the time. */
const PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-dev-shm-usage'];

/** How long the browser may take for anything: a test that asks how long it took says so. */
const MAX_MS = 60_000;

export interface Look {
  readonly width?: number;
  readonly theme?: 'light' | 'dark';
  readonly scripts?: boolean;
  readonly touch?: boolean;
}

/** A tab of its own, with what went wrong in it. */
export interface Tab {
  readonly page: Page;
  /** What the page's policy refused, and what scripts threw. */
  readonly wrongs: readonly string[];
  /** Bytes over the wire since it was opened. */
  readonly bytes: () => number;
}

export interface Browser {
  open(url: string, look?: Look): Promise<Tab>;
}

/** Chromium's own word on a change of pages that came too quickly to be shown; the pages' scripts begin none. */
const OF_BROWSER = /^Transition was (?:aborted|skipped)\b/;

/** A real Chromium for a test file, closed after its last test. Installed where it may; else the file fails and says what to install. */
export async function openBrowser(): Promise<Browser> {
  const missing = PATHS.some(existsSync) || !lacks('chromium-headless-shell') ? false : lacks('chromium');
  if (missing !== false) throw new Error(`This test ${missing}`);
  const executablePath = PATHS.find(existsSync) as string;
  const browser: Chromium = await chromium.launch({ executablePath, args: ARGUMENTS });
  after(() => ended('closing the browser', browser.close()));
  return {
    async open(url, { width = 1280, theme = 'light', scripts = true, touch = false } = {}) {
      const context = await ended(
        'opening a window',
        browser.newContext({
          viewport: { width, height: width < 640 ? 844 : 900 },
          colorScheme: theme,
          javaScriptEnabled: scripts,
          hasTouch: touch,
          isMobile: touch,
          reducedMotion: 'reduce',
          // Who presses Copy may, in a browser with a window.
          permissions: ['clipboard-write'],
        }),
      );
      const close = context.close.bind(context);
      context.close = (options) => ended('closing a window', close(options));
      const page = await ended('opening a tab', context.newPage());
      page.setDefaultTimeout(MAX_MS);
      const wrongs: string[] = [];
      let bytes = 0;
      page.on('pageerror', ({ message }) => {
        if (!OF_BROWSER.test(message)) wrongs.push(`threw: ${message}`);
      });
      page.on('console', (message) => {
        const text = message.text();
        // That an answer is an error is no fault of the page that asked for it.
        if (message.type() === 'error' && !text.startsWith('Failed to load resource')) wrongs.push(text);
      });
      page.on('dialog', async (dialog) => {
        wrongs.push(`asked: ${dialog.message()}`);
        await dialog.dismiss();
      });
      const network = await ended('looking at the network', context.newCDPSession(page));
      await ended('looking at the network', network.send('Network.enable'));
      network.on('Network.loadingFinished', ({ encodedDataLength }) => {
        bytes += encodedDataLength;
      });
      await page.goto(url);
      return { page, wrongs, bytes: () => bytes };
    },
  };
}

/** What the promise came to; an Error that says `what` when it came to nothing in time. */
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

/** AssertionError with what axe-core finds on the page as it stands (WCAG 2.2 A and AA, best practices). */
export const assertAccessible = (page: Page, name: string): Promise<void> => audit(page, name, []);

/** The same for what alone a theme changes: whether colors can be told apart. */
export const assertContrast = (page: Page, name: string): Promise<void> => audit(page, name, ['color-contrast']);

/** By these rules of axe-core, or by all. */
async function audit(page: Page, name: string, rules: readonly string[]): Promise<void> {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(AXE);
  const found = await page.evaluate(
    async (options) => {
      const { axe } = globalThis as unknown as Axe;
      const { violations } = await axe.run(options);
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
      );
    },
    { resultTypes: ['violations'], ...(rules.length > 0 && { runOnly: rules }) },
  );
  assert.deepEqual(found, [], name);
}

interface Axe {
  readonly axe: { run(options: object): Promise<{ violations: readonly Violation[] }> };
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Nothing is wider than the window: a phone has no second direction to scroll in. */
export async function assertFits(page: Page, name: string): Promise<void> {
  const [wide, window] = await page.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]');
  assert.ok((wide as number) <= (window as number), `${name}: ${wide} px wide in a window of ${window}`);
}

/** With PICTURES=1 keeps a picture of the page, or of what of it is in the window, in `build/screenshots/`. */
export async function keepPicture(page: Page, name: string, fullPage = true): Promise<void> {
  if (process.env.PICTURES !== '1') return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage });
}
