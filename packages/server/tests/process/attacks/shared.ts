// The service that tests of this folder attack one after the other.
import { after } from 'node:test';
import { attackTarget } from '../../../../../tests/harness/attack.ts';

// Each test makes namespaces.
const target = attackTarget({ env: { LIMIT_NAMESPACES_PER_HOUR: '100' } });
after(() => target[Symbol.asyncDispose]());
export const { attack } = target;
