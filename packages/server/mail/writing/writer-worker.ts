// Writing mail yields to requests.
import '@mailroom/workers/low-priority';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { serveBatches } from '@mailroom/workers/serve';
import { composeMail } from './compose.ts';
import { signMail } from './dkim.ts';
import type { WriterTask, Written } from './writer.ts';

function put(path: string, message: Uint8Array): void {
  const part = `${path}.part`;
  const file = openPart(part);
  try {
    for (let at = 0; at < message.length; ) at += writeSync(file, message, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(part, path);
}

function openPart(path: string): number {
  try {
    return openSync(path, 'w', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return openSync(path, 'w', 0o600);
  }
}

async function done(task: WriterTask): Promise<Uint8Array> {
  if (task.kind === 'compose') {
    const composed = await composeMail(task.input);
    const message = task.sign === undefined ? composed : await signMail(composed, task.sign);
    if (task.path === undefined) return message;
    put(task.path, message);
    return new Uint8Array();
  }
  if (task.kind === 'sign') {
    const { buffer, byteOffset, byteLength } = task.message;
    return signMail(Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength), task.options);
  }
  put(task.path, task.message);
  return new Uint8Array();
}

/** Without the rest of the pool that a small Buffer is a part of, which would be copied too. */
const unpool = (bytes: Uint8Array): Uint8Array => (bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice());

serveBatches<WriterTask, Written, Written>(
  async (task) => {
    try {
      return { message: unpool(await done(task)) };
    } catch (error) {
      const { name, message, code } = error as NodeJS.ErrnoException;
      return { failed: { name, message, code } };
    }
  },
  (written) => written,
);
