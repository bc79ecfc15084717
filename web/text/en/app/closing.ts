export const closing = {
  close: 'Close workspace',
  closeInThirtyDays: 'Close in 30 days',
  what: 'For 30 days everything goes on, and you can take this back here. Then programmes, partners, sales and keys of both modes are deleted for ever, and nobody can sign in any more. Only sums of the ledger stay.',
  typeName: (name: string) => `Type “${name}” to go on`,
  closes: 'This workspace will be closed on',
  untilThen: 'Until then everything goes on, and an owner can take it back.',
  keep: 'Keep workspace',
};
