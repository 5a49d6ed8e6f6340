import { fork } from 'node:child_process';
import { once } from 'node:events';

export interface Helper<Ask, Answer> extends AsyncDisposable {
  ask(question: Ask): Promise<Answer>;
}

/** Runs a script in a child process that answers one question at a time over IPC and ends with this process. */
export function startHelper<Ask extends object, Answer>(
  script: URL,
  args: readonly string[] = [],
): Helper<Ask, Answer> {
  const child = fork(script, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${script.pathname} ended`);
  });
  ended.catch(() => {});
  return {
    async ask(question) {
      const answer = once(child, 'message');
      child.send(question);
      const [said] = await Promise.race([answer, ended]);
      return said as Answer;
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      await ended.catch(() => {});
    },
  };
}
