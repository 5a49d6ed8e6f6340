import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../src/config.ts';
import { makeLog } from '../src/log.ts';
import { startService } from '../src/service/index.ts';

/** Starts the service on a free port and lints the OpenAPI document that it serves with Redocly. */
const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'mailroom-lint-'));
try {
  const file = join(folder, 'openapi.json');
  const { log } = await makeLog('silent');
  const config = readConfig({ PORT: '0', DATABASE_URL: `sqlite:${join(folder, 'm.db')}` });
  {
    const onFailure = (error: Error): void => {
      throw error;
    };
    await using service = await startService({ config, log, onFailure, keepOwnerKey: async () => {} });
    const answer = await fetch(`${service.url}/api/v1/openapi.json`);
    writeFileSync(file, JSON.stringify(await answer.json(), null, 2));
  }
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
