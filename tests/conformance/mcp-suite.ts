import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SUITE = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');
const EXPECTED = join(import.meta.dirname, './mcp.yml');

/** The versions of MCP that are spoken. */
export const VERSIONS = ['2026-07-28', '2025-11-25'] as const;

export interface SuiteRun {
  /** 0: nothing failed but what `mcp.yml` expects, and all of that did. */
  readonly code: number | null;
  readonly output: string;
}

/** Runs `@modelcontextprotocol/conformance` with these arguments. */
export function runSuite(args: readonly string[], onOutput?: (text: string) => void): Promise<SuiteRun> {
  const child = spawn(process.execPath, [SUITE, ...args], { cwd: tmpdir(), stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      onOutput?.(text);
    });
  return new Promise((resolve, reject) => {
    child.on('close', (code) => resolve({ code, output })).on('error', reject);
  });
}

/** Every scenario for servers of this version, against the server at `url`. */
export const runServerSuite = (url: string, version: (typeof VERSIONS)[number]): Promise<SuiteRun> =>
  runSuite([
    'server',
    '--url',
    `${url}/mcp`,
    '--suite',
    'all',
    '--spec-version',
    version,
    '--expected-failures',
    EXPECTED,
  ]);

/** What the suite says at its end: each scenario in a line, and what was not expected. */
export const summaryOf = ({ output }: SuiteRun): string => output.slice(Math.max(0, output.indexOf('=== SUMMARY ===')));
