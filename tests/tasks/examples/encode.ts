import type { Example } from '../harness.ts';

const JWT =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c';
const CLAIMS = { sub: '1234567890', name: 'John Doe', iat: 1_516_239_022 };

/** Wordings of people without the manual, collected before the patterns were written. */
const SLOPPY: readonly Example[] = [
  { says: 'base64 this: hello', result: 'aGVsbG8=' },
  { says: 'what is this base64: aGVsbG8=', result: 'hello' },
  { says: 'un-base64 aGVsbG8=', result: 'hello' },
  { says: 'what does aGVsbG8= say in base64', result: 'hello' },
  { says: "percent encode 'a b&c'", result: 'a%20b%26c' },
  { says: 'html escape <b>hi</b>', result: '&lt;b&gt;hi&lt;/b&gt;' },
  { says: 'give me the sha-1 checksum for hello', result: 'aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d' },
  { says: 'md5 hello', result: '5d41402abc4b2a76b9719d911017c592' },
  { says: `whats inside this jwt: ${JWT}`, result: CLAIMS },
  { says: 'rot13 uryyb', result: 'hello' },
  { says: 'how do you write SOS in morse code', result: '... --- ...' },
  { says: 'what does this morse say: ... --- ... / .-', result: 'SOS A' },
  { says: "'hi' in binary", result: '01101000 01101001' },
  { says: 'make this safe for a url: a/b?c', result: 'a%2Fb%3Fc' },
  { says: 'turn 68 65 6c 6c 6f from hex into text', result: 'hello' },
];

export const EXAMPLES: readonly Example[] = [
  ...SLOPPY,
  { says: 'decode this base64: 4pyTIGRvbmU=', result: '✓ done' },
  { says: 'encode hello as base64', input: { op: 'encode', as: 'base64', text: 'hello' }, result: 'aGVsbG8=' },
  { says: 'base64url encode: ??>>', result: 'Pz8-Pg' },
  { says: 'decode base64url: Pz8-Pg', result: '??>>' },
  { says: 'url-encode: a b', result: 'a%20b' },
  { says: 'url decode a%20b+c', result: 'a b+c' },
  { says: 'decode html entities: &lt;p&gt; &amp;eacute; &eacute; &#128512; &#x41;', result: '<p> &eacute; é 😀 A' },
  { says: 'hex encode: hi', result: '6869' },
  { says: 'decode hex 0x6869', result: 'hi' },
  { says: 'decode binary: 01101000 01101001', result: 'hi' },
  { says: 'sha256 of hello', result: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824' },
  { says: "hash 'hello' with md5", result: '5d41402abc4b2a76b9719d911017c592' },
  { says: 'crc32: hello', result: '3610a686' },
  { says: 'sha3-256 of hello', result: '3338be694f50c5f338814986cdf0686453a888b84f424d792af4b9202398f392' },
  { says: 'sha512: hello', result: (hash: string) => hash.startsWith('9b71d224bd62f378') && hash.length === 128 },
  { says: 'sha-384 hash of: hello', result: (hash: string) => hash.startsWith('59e1748777448c69') },
  { says: 'hash it with sha256', it: 'hello', result: (hash: string) => hash.startsWith('2cf24dba') },
  { says: 'hash: hello', result: (hash: string) => hash.startsWith('2cf24dba') },
  {
    says: "hmac sha256 of 'hello' with key 'secret'",
    result: '88aab3ede8d3adf94d26ab90d3bafd4a2083070c3bcce9c014ee04a443847c0b',
  },
  {
    says: 'hmac-sha256 with the key secret: hello',
    input: { op: 'hmac', as: 'sha256', key: 'secret', text: 'hello' },
    result: '88aab3ede8d3adf94d26ab90d3bafd4a2083070c3bcce9c014ee04a443847c0b',
  },
  { says: `decode the jwt ${JWT}`, result: CLAIMS },
  { says: JWT, result: CLAIMS },
  { says: 'rot13: Hello', result: 'Uryyb' },
  { says: 'base64 it', it: 'hello', input: { op: 'encode', as: 'base64', text: '{{1}}' }, result: 'aGVsbG8=' },
  { says: 'decode base64: AP8=', result: '00ff' },
  { says: 'decode: aGVsbG8=', result: 'hello' },
  { says: 'decode &lt;b&gt;', result: '<b>' },
  { says: 'apply rot13 to hello', result: 'uryyb' },
  { says: 'decode this: hello there', asks: 'From which encoding' },
  { says: 'decode base64', asks: 'Which text' },
  { says: 'hmac sha256: hello', asks: 'With which key' },
  { says: 'turn the word "Hi" into hex digits', result: '4869' },
  { says: "I've got this line in hex, what does it mean?", data: '48656c6c6f', result: 'Hello' },
  { says: 'here is something in base64, please decode it', data: 'aGVsbG8=', result: 'hello' },
  { says: 'what is hello in base64', result: 'aGVsbG8=' },
  { says: 'what is test in hex', result: '74657374' },
  { says: 'what is aGVsbG8h in base64', result: 'hello!' },
];
