import { after } from 'node:test';
import { makeJsonTask } from '../../src/tasks/json/index.ts';
import { EXAMPLES } from './examples/json.ts';
import { examplesOf } from './harness.ts';

const json = makeJsonTask();
after(() => json.close?.());

examplesOf(json, EXAMPLES);
