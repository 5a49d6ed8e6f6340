import { time } from '../../src/tasks/time.ts';
import { TIME } from './examples/time.ts';
import { examplesOf } from './harness.ts';

examplesOf(time, TIME);
