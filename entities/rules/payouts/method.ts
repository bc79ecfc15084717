/** How a partner is paid. */
export const payoutMethodTypes = ['paypal', 'wise', 'bank', 'other'] as const;
export type PayoutMethodType = (typeof payoutMethodTypes)[number];

interface BankMethod {
  type: 'bank';
  holder: string;
  /** ISO 3166, two upper-case letters. */
  country: string;
  iban?: string;
  accountNumber?: string;
  routingNumber?: string;
  bic?: string;
}

export type PayoutMethod =
  | { type: 'paypal'; email: string }
  | { type: 'wise'; email: string; name: string }
  | BankMethod
  | { type: 'other'; text: string };

/** The method for people who must not read the whole: `PayPal, p***@example.com`, `Bank, DE ...3000`. */
export function maskedLabel(method: PayoutMethod): string {
  switch (method.type) {
    case 'paypal':
      return `PayPal, ${maskedEmail(method.email)}`;
    case 'wise':
      return `Wise, ${maskedEmail(method.email)}`;
    case 'bank':
      return `Bank, ${method.country} ${last4(method.iban ?? method.accountNumber)}`;
    case 'other':
      return 'Other';
  }
}

/** What the partner reads of it: e-mails whole, of account numbers the last four characters. */
export function shownMethod(method: PayoutMethod): PayoutMethod {
  if (method.type !== 'bank') return method;
  const { iban, accountNumber } = method;
  return {
    ...method,
    ...(iban === undefined ? {} : { iban: last4(iban) }),
    ...(accountNumber === undefined ? {} : { accountNumber: last4(accountNumber) }),
  };
}

/** What somebody else pays to: one line for a file. */
export function recipientOf(method: PayoutMethod): string {
  switch (method.type) {
    case 'paypal':
    case 'wise':
      return method.email;
    case 'bank':
      return [
        method.holder,
        method.country,
        method.iban,
        method.accountNumber,
        method.routingNumber,
        method.bic,
      ]
        .filter((part) => part !== undefined)
        .join(' ');
    case 'other':
      return method.text;
  }
}

function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${[...email].slice(0, 1).join('')}***${email.slice(at)}`;
}

/** A number of up to four characters shows none of them: the mask would be the number. */
function last4(account = ''): string {
  return account.length > 4 ? `...${account.slice(-4)}` : '...';
}
