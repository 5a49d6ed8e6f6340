import { readConfig } from '../config.ts';
import type { ChunkPlace } from '../core/ports/blobs.ts';
import { openStore } from '../store/open.ts';
import { Progress } from './progress.ts';

const HELP = `Moves the bytes of files from the database (DATABASE_URL) to object storage (BLOBS_URL), or back.

  npm run migrate-blobs
  npm run migrate-blobs -- --back

To move them out, start the service with BLOBS_URL first: it may run meanwhile, and finds each file where it is. To bring
them back, stop the service, and start it without BLOBS_URL afterwards. The command can be stopped at any time and run
again: it goes on where it was. Each chunk is compared by its SHA-256.
`;

// `npm run migrate-blobs`, for the operator of the machine.
const progress = new Progress(process.stdout);
try {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) process.stdout.write(HELP);
  else {
    const back = args[0] === '--back';
    if (args.length > (back ? 1 : 0))
      throw new Error('It takes --back or nothing. See npm run migrate-blobs -- --help');
    await move(back ? 'inside' : 'outside');
  }
} catch (error) {
  progress.clear();
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function move(to: 'inside' | 'outside'): Promise<void> {
  const { DATABASE_URL, BLOBS_URL } = readConfig(process.env);
  if (BLOBS_URL === undefined)
    throw new Error('Set BLOBS_URL, such as s3://BUCKET/PREFIX: it says where object storage is.');
  await using store = await openStore(DATABASE_URL, { blobs: BLOBS_URL, alongside: true });
  let [chunks, bytes, place]: [number, number, ChunkPlace | undefined] = [0, 0, undefined];
  do {
    const moved = await store.blobs.move(to, place);
    chunks += moved.chunks;
    bytes += moved.bytes;
    place = moved.next;
  } while (place !== undefined);
  progress.say(`${chunks} chunks, ${(bytes / 1e6).toFixed(1)} MB.`);
  progress.say(to === 'outside' ? 'All files are in object storage.' : 'All files are in the database.');
}
