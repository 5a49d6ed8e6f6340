import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { hashOf } from '@mailroom/server/core/entities/review';
import { Keyring } from '@mailroom/server/keyring/keyring';
import { newFile, openFile, TestClock } from '../../server/tests/core/house.ts';
import { type Key, type Receipt, verifyReceipt, verifyReview } from '../verify-receipt.ts';

const clock = new TestClock();
const store = await openFile(newFile(), clock);
const keyring = await Keyring.open(store.signingKeys, clock.read, ['receipt']);
const keys = (await keyring.jwks()) as { keys: readonly Key[] };
const receiptPayload = {
  kind: 'receipt',
  steps: [{ step: 1, output: { result: 0.1 + 0.2, text: 'ü' } }],
  status: 'completed',
};
const receipt: Receipt = { ...receiptPayload, jws: await keyring.sign('receipt', JSON.stringify(receiptPayload)) };
const folder = mkdtempSync(join(tmpdir(), 'mailroom-receipt-'));
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await store[Symbol.asyncDispose]();
});

test('a receipt as it was signed is proven, in whatever order a store gives its names back', async () => {
  assert.deepEqual(await verifyReceipt(receipt, keys), receiptPayload);
  const { jws, ...rest } = receipt;
  assert.deepEqual(
    await verifyReceipt({ ...Object.fromEntries(Object.entries(rest).reverse()), jws }, keys),
    receiptPayload,
  );
});

test('a receipt that was changed, or signed by another, or not with ES256, proves nothing', async () => {
  const { jws } = receipt;
  await assert.rejects(verifyReceipt({ ...receipt, status: 'failed' }, keys), /not what was signed/);
  await assert.rejects(verifyReceipt({ ...receipt, more: 1 }, keys), /not what was signed/);
  const [header, , signature] = jws.split('.');
  const forged = Buffer.from(JSON.stringify({ ...receiptPayload, status: 'failed' })).toString('base64url');
  const other = { ...receipt, status: 'failed', jws: `${header}.${forged}.${signature}` };
  await assert.rejects(verifyReceipt(other, keys), /signature is wrong/);
  await assert.rejects(verifyReceipt(receipt, { keys: [] }), /No key/);
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  await assert.rejects(
    verifyReceipt({ ...receipt, jws: `${none}.${jws.split('.')[1]}.` }, keys),
    /not signed with ES256/,
  );
});

const message = {
  ...{ from: 'Ada <ada@x.example>', to: ['bo@far.example'], cc: null, bcc: ['eve@far.example'], reply_to: null },
  ...{ headers: { 'X-Z': '1', 'X-A': 'ü' }, subject: 'Über', body: 'a\u2028b 😀', html: null, data: '{"b":1,"a":2}' },
  ...{ attachments: [{ filename: 'a', content_type: 'text/plain', sha256: '00' }], in_reply_to: null },
};
const decision = { kind: 'review', review: 'rev_1', hash: hashOf(message), status: 'approved', decided_by: 'key_1' };
const review = { id: 'rev_1', message, receipt: await keyring.sign('receipt', JSON.stringify(decision)) };

test('the receipt of a review is proven, and of no other message or review', async () => {
  assert.deepEqual(await verifyReview(review, keys), decision);
  const changed = { ...review, message: { ...message, body: 'b' } };
  await assert.rejects(verifyReview(changed, keys), /of another message/);
  await assert.rejects(verifyReview({ ...review, id: 'rev_2' }, keys), /of another message/);
  await assert.rejects(verifyReview(review, { keys: [] }), /No key/);
  await assert.rejects(verifyReview({ ...review, receipt: null }, keys), /no receipt: it was not approved/);
});

test('the command of the docs prints what was signed, and says why when it was not', async () => {
  const [file, jwks] = [join(folder, 'message.json'), join(folder, 'jwks.json')];
  writeFileSync(file, JSON.stringify({ id: 'msg_1', reply: { data: receipt } }));
  writeFileSync(jwks, JSON.stringify(keys));
  const main = new URL('../verify-receipt-main.ts', import.meta.url).pathname;
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [main, file, jwks]);
  assert.deepEqual(JSON.parse(stdout), receiptPayload);
  writeFileSync(file, JSON.stringify({ ...review, hash: decision.hash }));
  assert.deepEqual(JSON.parse((await run(process.execPath, [main, file, jwks])).stdout), decision);
  writeFileSync(file, JSON.stringify({ ...receipt, status: 'failed' }));
  await assert.rejects(run(process.execPath, [main, file, jwks]), /not what was signed/);
});
