import { encode } from '../../src/tasks/encode.ts';
import { EXAMPLES } from './examples/encode.ts';
import { examplesOf } from './harness.ts';

examplesOf(encode, EXAMPLES);
