import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { send } from '../../src/tasks/send.ts';
import { TaskError } from '../../src/tasks/task.ts';
import { SEND } from './examples/send.ts';
import { clause, context, examplesOf } from './harness.ts';
import { answering } from './memory.ts';

describe('send', () => examplesOf(send, SEND, context({ ask: answering() })));
