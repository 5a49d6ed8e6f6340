import type { Behavior } from '@mailroom/behavior';
import type { Clock } from '@mailroom/behavior/values/clock';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { AccessLog } from '../http/server.ts';
import type { Resolver } from '../net/guarded-connect.ts';
import type { openStore } from '../store/open.ts';

export interface ServiceOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly access?: AccessLog | undefined;
  readonly clock?: Clock;
  /** How often it looks for due work that nothing told it of, in ms; a second by default. Tests advance the clock. */
  readonly poll_ms?: number;
  /** Replaces how the store is opened; tests wrap the real one. */
  readonly openStore?: typeof openStore;
  /** Additional behaviors, for tests and benchmarks. */
  readonly behaviors?: readonly Behavior[];
  /** What behaviors share, such as threads, by name, for several services of a process; tests have it. */
  readonly shared?: ReadonlyMap<string, object>;
  /** Resolves host names in place of the system; tests use it to reach their own servers. */
  readonly resolve?: Resolver;
  /** Prints mail on the terminal when there is no server for it; without it nothing is printed. */
  readonly print?: (text: string) => void;
  /** Called with the owner key of the first start before it is valid; throws when it cannot be stored. */
  readonly keepOwnerKey: (secret: string) => Promise<void>;
  /** Called after an error that ends the service. */
  readonly onFailure: (error: Error) => void;
}
