import { random } from '../../src/tasks/random.ts';
import { RANDOM } from './examples/random.ts';
import { examplesOf } from './harness.ts';

examplesOf(random, RANDOM);
