import { spawnSync } from 'node:child_process';
import { accessSync, constants, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Maximum time for lists and package together, in case a mirror does not answer. */
const INSTALL_MS = 240_000;
const OPTIONS = [
  // Test files run in parallel, so one waits for the lock of the other.
  'DPkg::Lock::Timeout=60',
  'Acquire::Retries=1',
  'Acquire::http::Timeout=15',
  'Acquire::https::Timeout=15',
].flatMap((option) => ['-o', option]);

/** Whether a program is on the path; for some users servers are installed next to it. */
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

/** Runs a command without output or questions; returns whether it succeeded. */
function run(until: number, command: string, args: readonly string[], cwd?: string): boolean {
  const timeout = until - Date.now();
  if (timeout <= 0) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command, args, { env, stdio: 'ignore', timeout, ...(cwd !== undefined && { cwd }) }).status === 0;
}

const aptGet = (until: number, args: readonly string[], cwd?: string): boolean =>
  run(until, 'apt-get', [...OPTIONS, '-qq', ...args], cwd);

/** Debian asks it whether a package may start its service. */
const POLICY = '/usr/sbin/policy-rc.d';

/** Runs `install` while no package starts the service that it brings: tests start their own. */
function withoutServices(install: () => void): void {
  let isOurs = false;
  try {
    writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755, flag: 'wx' });
    isOurs = true;
  } catch {
    // There is one, as in images of containers.
  }
  try {
    install();
  } finally {
    if (isOurs) rmSync(POLICY, { force: true });
  }
}

/**
 * False when the program is there, else the reason to skip the test, which says what a person has to install. Where it
 * may (root, apt-get), it installs the program's packages first, without starting a service.
 */
export function lacks(program: string, ...packages: readonly string[]): string | false {
  if (has(program)) return false;
  const wanted = packages.length === 0 ? [program] : packages;
  if (process.getuid?.() === 0 && has('apt-get')) {
    const until = Date.now() + INSTALL_MS;
    const install = ['install', '-y', '--no-install-recommends', ...wanted] as const;
    withoutServices(() => {
      if (aptGet(until, install)) return;
      // After an installation that was interrupted nothing more can be installed until it is finished.
      run(until, 'dpkg', ['--configure', '-a']);
      // A fresh image has no package lists, or old ones.
      if (aptGet(until, ['update'])) aptGet(until, install);
    });
    if (has(program)) return false;
  }
  return `needs ${program}: install ${wanted.join(' and ')}, or run it as root where there is apt-get`;
}

/**
 * Unpacks packages of Debian into a folder, for those that would remove others as they are installed; false where that
 * cannot be, without root, apt-get or their files. None of their scripts runs.
 */
export function unpack(folder: string, ...packages: readonly string[]): boolean {
  if (process.getuid?.() !== 0 || !has('apt-get') || !has('dpkg')) return false;
  const until = Date.now() + INSTALL_MS;
  const download = (): boolean => aptGet(until, ['download', ...packages], folder);
  if (!download() && !(aptGet(until, ['update']) && download())) return false;
  const files = readdirSync(folder).filter((file) => file.endsWith('.deb'));
  return files.every((file) => spawnSync('dpkg', ['-x', join(folder, file), folder]).status === 0);
}
