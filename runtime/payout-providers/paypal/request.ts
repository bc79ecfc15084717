import { amountText } from '../../../entities/rules/payouts/files';
import { decimalsOf } from '../../../entities/rules/values/currency';
import type { ProviderBatch, ProviderItem } from '../provider';

/** What PayPal takes in whole units only, whatever ISO 4217 says. */
const wholeAtPayPal = new Set(['jpy', 'huf', 'twd']);
const longestText = 100;
/** Length of one receiver's address, in single-byte characters. */
export const longestAddress = 127;

/** The body of `POST /v1/payments/payouts`. */
export function requestOf({ senderBatchId, currency, items, text }: ProviderBatch): string {
  const said = plainText(text);
  return JSON.stringify({
    sender_batch_header: {
      sender_batch_id: senderBatchId,
      recipient_type: 'EMAIL',
      email_subject: said,
    },
    items: items.map((item) => ({
      sender_item_id: item.reference,
      receiver: item.address,
      amount: { currency: currency.toUpperCase(), value: amountOf(item, currency) },
      note: said,
    })),
  });
}

function amountOf({ amountCents }: ProviderItem, currency: string): string {
  const decimals = decimalsOf(currency);
  const unit = 10 ** decimals;
  const isWhole = wholeAtPayPal.has(currency) && amountCents % unit === 0;
  return isWhole ? String(amountCents / unit) : amountText({ amountCents, currency });
}

/** Letters of ASCII, digits, spaces and `.,-`, at most a hundred. */
function plainText(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9 .,-]+/g, ' ')
    .replace(/ +/g, ' ')
    .slice(0, longestText)
    .trim();
  return plain === '' ? 'Payout' : plain;
}
