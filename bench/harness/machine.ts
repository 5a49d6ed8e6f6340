import { closeSync, fdatasyncSync, openSync, statfsSync, writeSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { median } from './numbers.ts';

// statfs(2)
const FILE_SYSTEMS: Readonly<Record<number, string>> = {
  61267: 'ext4',
  1481003842: 'xfs',
  2435016766: 'btrfs',
  2035054128: 'overlayfs',
  16914836: 'tmpfs',
};

/** The conditions without which the figures mean little. `folder` is where the stores lie. */
export function machine(folder: string): string {
  const processors = cpus();
  const kind = statfsSync(folder).type;
  const disk = FILE_SYSTEMS[kind] ?? `file system 0x${kind.toString(16)}`;
  return [
    `${processors[0]?.model.trim() ?? 'unknown processor'}, ${processors.length} cores, ${(totalmem() / 2 ** 30).toFixed(1)} GiB`,
    `${type()} ${release()}, Node ${process.version}, load before ${loadavg()[0]?.toFixed(1)}`,
    `stores on ${disk}, fdatasync of 4 KiB ${syncMs(join(folder, 'fdatasync')).toFixed(2)} ms`,
  ].join('\n');
}

/** The median time of 100 durable writes. It is near zero on a disk that does not really sync, such as tmpfs. */
function syncMs(file: string): number {
  const page = Buffer.alloc(4096, 1);
  const descriptor = openSync(file, 'w');
  const times = Array.from({ length: 100 }, () => {
    const from = performance.now();
    writeSync(descriptor, page);
    fdatasyncSync(descriptor);
    return performance.now() - from;
  });
  closeSync(descriptor);
  return median(times);
}
