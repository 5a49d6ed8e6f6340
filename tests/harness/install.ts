import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** In all, for the lists and the package; a mirror that does not answer is given up. */
const INSTALL_MS = 180_000;
const OPTIONS = [
  // Test files run side by side: one waits for the other.
  'DPkg::Lock::Timeout=60',
  'Acquire::Retries=1',
  'Acquire::http::Timeout=15',
  'Acquire::https::Timeout=15',
].flatMap((option) => ['-o', option]);

/** Whether it is on the path; servers are beside it for some users. */
function has(program: string): boolean {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Quietly, and without a question. Whether it worked. */
function aptGet(until: number, ...args: readonly string[]): boolean {
  const timeout = until - Date.now();
  if (timeout <= 0) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', [...OPTIONS, '-qq', ...args], { env, stdio: 'ignore', timeout }).status === 0;
}

/**
 * Whether a test lacks a program, and what a person has to install then, as the reason to skip it. Where it may (root,
 * apt-get), it installs the program's package first.
 */
export function lacks(program: string, pack: string = program): string | false {
  if (has(program)) return false;
  if (process.getuid?.() === 0 && has('apt-get')) {
    const until = Date.now() + INSTALL_MS;
    const install = ['install', '-y', '--no-install-recommends', pack] as const;
    // A fresh image has no lists of packages, or old ones.
    if (!aptGet(until, ...install) && aptGet(until, 'update')) aptGet(until, ...install);
    if (has(program)) return false;
  }
  return `needs ${program}: install the package ${pack}, or run it as root where there is apt-get`;
}
