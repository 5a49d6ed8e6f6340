import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openapiJson } from './openapi-document.ts';

/** Lints the OpenAPI document with Redocly. */
const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'mailroom-lint-'));
try {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(JSON.parse(await openapiJson()), null, 2));
  const redocly = join(root, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
  // Redocly would otherwise send usage data and look for a newer version.
  const quiet = {
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    REDOCLY_SUPPRESS_NOTIFICATIONS: 'true',
  };
  const { status } = spawnSync(process.execPath, [redocly, 'lint', file, '--config', join(root, 'redocly.yaml')], {
    stdio: 'inherit',
    env: { ...process.env, ...quiet },
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
