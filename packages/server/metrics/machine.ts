import { X509Certificate } from 'node:crypto';
import { readFile, stat, statfs } from 'node:fs/promises';
import { Gauge, type Registry } from 'prom-client';

/** What stands outside of this process. */
export interface Machine {
  /** The folder on the disk that must not be full. */
  readonly folder: string;
  /** The file with the certificate for mail (PEM). */
  readonly certificate?: string | undefined;
  /** The file that each backup writes; undefined where others make backups. */
  readonly backup?: string | undefined;
  /** Whether the server that takes mail answers; undefined where there is none, and until it is known. */
  readonly relayUp: () => boolean | undefined;
}

/** Adds figures of the disk, the certificate, the last backup and the relay. What cannot be read has no value. */
export function addMachine(registry: Registry, { folder, certificate, backup, relayUp }: Machine): void {
  const gauge = (name: string, help: string, read: () => Promise<number | undefined>): void => {
    new Gauge({
      name: `mailroom_${name}`,
      help,
      registers: [registry],
      async collect() {
        this.reset();
        const value = await read().catch(() => undefined);
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  };
  gauge('disk_free_bytes', 'Free space of the disk with the database, or with the files of this node.', async () => {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  });
  gauge('disk_size_bytes', 'Size of that disk.', async () => {
    const { blocks, bsize } = await statfs(folder);
    return blocks * bsize;
  });
  gauge('relay_up', 'Whether the server of SMTP_URL takes a login, looked at once a minute: 1, or 0.', async () => {
    const up = relayUp();
    return up === undefined ? undefined : Number(up);
  });
  if (certificate !== undefined)
    gauge('certificate_expiry_timestamp_seconds', 'When the certificate of SMTP_TLS_CERT ends.', async () => {
      const { validToDate } = new X509Certificate(await readFile(certificate));
      return validToDate.getTime() / 1000;
    });
  if (backup !== undefined)
    gauge('backup_timestamp_seconds', 'When npm run backup last copied the SQLite database; 0: never.', async () => {
      const copy = await stat(backup).catch(() => undefined);
      return copy === undefined ? 0 : copy.mtimeMs / 1000;
    });
}
