import { readFileSync } from 'node:fs';
import { jsonOf } from './src/cli/terminal.ts';
import { verifyReceipt, verifyReview } from './verify-receipt.ts';

/**
 * `node packages/client/verify-receipt-main.ts receipt.json jwks.json`: a receipt, or the whole message that holds it, and the
 * keys; or a review instead of the message.
 */
const [receiptFile, keysFile] = process.argv.slice(2);
if (receiptFile === undefined || keysFile === undefined) {
  console.error('Use: node packages/client/verify-receipt-main.ts receipt.json jwks.json');
  process.exit(2);
}
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const given = read(receiptFile);
try {
  const keys = read(keysFile);
  const isReview = typeof given.receipt === 'string';
  const proven = await (isReview ? verifyReview(given, keys) : verifyReceipt(given.reply?.data ?? given, keys));
  console.log(jsonOf(proven, 2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
