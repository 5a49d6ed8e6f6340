import type { SMTPServer } from 'smtp-server';
import type { TickShare, TickShares } from '../../net/tick-shares.ts';

type Connection = SMTPServer['connections'] extends Set<infer One> ? One : never;

/** What the library keeps of a connection, without a type. */
interface Internals {
  /** `next` has the parser read the next command. */
  _onCommand: (command: Buffer | string | undefined, next?: () => void) => void;
  readonly _closed: boolean;
}

interface Sender {
  readonly network: TickShare;
  idle_commands: number;
}

/** As many commands without a recipient as Postfix takes by default (`smtpd_junk_command_limit`). */
export const MAX_IDLE_COMMANDS = 100;

/**
 * Divides turns of the event loop between the networks that send commands, since the library answers all that came
 * together in one, and ends a connection that sends more than `max_idle` without a recipient.
 */
export function paceCommands(connection: Connection, sender: Sender, turns: TickShares, max_idle: number): void {
  const internals = connection as unknown as Internals;
  const onCommand = internals._onCommand.bind(connection);
  internals._onCommand = (command, next) => {
    // Recipients have limits of their own.
    if (!/^RCPT\b/i.test(String(command)) && ++sender.idle_commands > max_idle) {
      connection.send(421, '4.7.0 Too many commands without a recipient. Connect when you have mail.');
      return;
    }
    const run = (): void => {
      if (internals._closed) next?.();
      else if (turns.take(sender.network)) onCommand(command, next);
      else turns.later(sender.network, run);
    };
    run();
  };
}
