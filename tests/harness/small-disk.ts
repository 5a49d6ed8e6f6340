import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MIB = 1 << 20;

/** A file system small enough to be filled. */
export interface SmallDisk extends Disposable {
  readonly folder: string;
  /** Takes this many MiB, or all free space. */
  fill(mib?: number): void;
  /** Frees all that was taken. */
  clear(): void;
}

/** A file system in memory of this many MiB, or a text that says why there is none and what it needs. */
export function smallDisk(mib: number): SmallDisk | string {
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'mailroom-test', folder], {
    encoding: 'utf8',
  });
  if (mounted.status !== 0) {
    rmdirSync(folder);
    const [why] = (mounted.error?.message ?? mounted.stderr).split('\n', 1);
    return `needs the right to mount a tmpfs (root, with CAP_SYS_ADMIN): ${why}`;
  }
  const ballast = join(folder, 'ballast');
  const unmount = (): void => {
    process.off('exit', unmount);
    spawnSync('umount', ['-l', folder]);
    rmdirSync(folder);
  };
  process.on('exit', unmount);
  return {
    folder,
    fill(max = Number.POSITIVE_INFINITY) {
      const file = openSync(ballast, 'a');
      try {
        let remaining = max * MIB;
        for (let size = MIB; size > 0 && remaining > 0; ) {
          try {
            const written = writeSync(file, Buffer.alloc(Math.min(size, remaining)));
            remaining -= written;
            if (written < size) size >>= 1;
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
            size >>= 1;
          }
        }
      } finally {
        closeSync(file);
      }
    },
    clear: () => rmSync(ballast, { force: true }),
    [Symbol.dispose]: unmount,
  };
}
