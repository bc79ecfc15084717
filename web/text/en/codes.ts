/** Codes of the API whose letters alone would read wrong; all others are said by their letters. */
export const codes: Readonly<Record<string, string>> = {
  // What was done to a commission.
  approve: 'Approved',
  approve_override: 'Approved before the hold ended',
  reject: 'Rejected',
  hold_elapsed: 'Hold ended',
  dispute: 'Disputed',
  payout_returned: 'Payment came back',
  recredit: 'Credited anew',
  // Entries of the ledger.
  accrual: 'Earned',
  fee_settlement: 'Fee of the payment',
  dispute_hold: 'Held for a dispute',
  dispute_release: 'Dispute ended',
  reversal: 'Taken back',
  clawback: 'Taken back after payment',
  payout_reversal: 'Payment came back',
  import: 'Imported',
  // Fraud rules.
  self_referral_email: 'Partner buys by their own email',
  same_ip_as_partner: 'Same IP address as the partner',
  disposable_email: 'Throw-away email',
  click_velocity: 'Many clicks from one address',
  too_fast_conversion: 'Sale too soon after the click',
  bot_click: 'Click of a bot',
  refund_rate: 'Many refunds',
  banned_source: 'Banned website',
  // What people have other names for.
  programs: 'Programmes',
  program: 'Programme',
  participant: 'Partner',
  merchant_account: 'Member',
  api_key: 'API key',
  suppressed: 'Kept back',
};
