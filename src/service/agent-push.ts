import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { AnswerFields } from '../core/delivery/answer-fields.ts';
import type { PushParts } from '../core/delivery/push.ts';
import { AgentPush } from '../core/delivery/push.ts';
import { readJson } from '../http/json.ts';
import { compileCheck } from '../http/validate.ts';
import type { Core } from './core.ts';

interface AgentPushParts
  extends Pick<
    PushParts,
    'store' | 'directory' | 'behaviors' | 'webhooks' | 'clock' | 'baseUrl' | 'onDisabled' | 'disclosure'
  > {
  readonly core: Core;
  readonly config: Config;
  readonly log: Logger;
}

/** How messages are pushed to agents; a response is read like the body of a request. */
export function agentPush({ core, config, log, ...parts }: AgentPushParts): AgentPush {
  const check = compileCheck(AnswerFields);
  return new AgentPush({
    ...parts,
    answering: core.answering,
    queue: core.queue,
    uploads: core.uploads,
    mailDomain: config.MAIL_DOMAIN,
    readAnswer: (text) => {
      const fields = readJson(Buffer.from(text), config.LIMIT_VALUES);
      check(fields);
      return fields as AnswerFields;
    },
    max_answer: config.LIMIT_JSON,
    max_data: config.LIMIT_DATA,
    onRefused: (message, status, text) =>
      log.warn({ message_id: message.id, status, text }, 'a webhook refused a message'),
  });
}
