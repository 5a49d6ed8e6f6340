import { workerData } from 'node:worker_threads';
import { serve } from '../../workers/serve.ts';
import { htmlText } from './mail-html.ts';
import { type MailTask, readMail } from './read.ts';
import type { ReadMail } from './read-mail.ts';
import { CachingResolver } from './resolver.ts';

/** What a thread starts with. */
export interface WorkerData {
  readonly mta: string;
  readonly arc_sealers: readonly string[];
  readonly dns_servers: readonly string[];
  readonly dns_timeout_ms: number;
}

const { mta, arc_sealers, dns_servers, dns_timeout_ms } = workerData as WorkerData;
const resolver = new CachingResolver({ servers: dns_servers, timeout_ms: dns_timeout_ms });

// Compiles what each mail uses, before the first one waits for it.
void htmlText('<p>Warm <a href="http://warm.example/">up</a></p>');

serve<MailTask, ReadMail>(
  (task) => readMail(task, { resolver, mta, arc_sealers }),
  ({ attachments }) => [...new Set(attachments.map(({ bytes }) => bytes.buffer))],
);
