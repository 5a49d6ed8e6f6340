// Reading mail yields to requests.
import '@mailroom/workers/low-priority';
import { workerData } from 'node:worker_threads';
import { serveBatches } from '@mailroom/workers/serve';
import { htmlText } from './mail-html.ts';
import { type MailTask, readMail } from './read.ts';
import type { ReadMail } from './read-mail.ts';
import { CachingResolver } from './resolver.ts';
import { Turns } from './turns.ts';

/** What a thread starts with. */
export interface WorkerData {
  readonly mta: string;
  readonly arc_sealers: readonly string[];
  readonly dns_servers: readonly string[];
  readonly dns_timeout_ms: number;
  /** Processor time of one mail. */
  readonly cpu_ms: number;
}

const { mta, arc_sealers, dns_servers, dns_timeout_ms, cpu_ms } = workerData as WorkerData;
const resolver = new CachingResolver({ servers: dns_servers, timeout_ms: dns_timeout_ms });
const turns = new Turns(cpu_ms);

// Compiles what each mail uses, before the first one waits for it.
void htmlText('<p>Warm <a href="http://warm.example/">up</a></p>');

type Answer = ReadMail | undefined;

/** Undefined when a mail takes too much processor time. */
serveBatches<MailTask, Answer, Answer>(
  (task, { id }) => turns.run(id, (wait) => readMail(task, { resolver, wait, mta, arc_sealers })),
  (mail) => mail,
);
