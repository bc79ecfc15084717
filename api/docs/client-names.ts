/** The noun of a group that its methods need not repeat, where it is not the group's own name. */
const nouns: Record<string, string[]> = {
  Partners: ['Participant', 'Partner'],
  'Partner portal': ['Partner'],
  'Partner account': ['PartnerAccount', 'Account'],
  Programmes: ['Program'],
  Notifications: ['MerchantNotification', 'Merchant'],
  ...Object.fromEntries(
    ['Sign-in', 'Own account', 'Test mode', 'Tracking', 'Health', 'Pages', 'Documentation'].map(
      (tag) => [tag, []],
    ),
  ),
};

/** Where that leaves a name that says too little, or two of the same. */
const exceptions: Record<string, string> = {
  listAllCommissions: 'list',
  listCommissions: 'listOfProgram',
  getAllCommissionStats: 'stats',
  getCommissionStats: 'statsOfProgram',
  exportAllCommissions: 'export',
  exportCommissions: 'exportOfProgram',
  dryRunConversion: 'dryRun',
  countMerchantUnreadNotifications: 'countUnread',
};

/** How the client package calls an operation: `conversions.report` of reportConversion. */
export function clientMethod(tag: string, operationId: string): string {
  return `${camelCase(tag)}.${exceptions[operationId] ?? withoutNoun(tag, operationId)}`;
}

function withoutNoun(tag: string, operationId: string): string {
  const own = camelCase(tag.replace(/s$/, ''));
  const ownNoun = own.slice(0, 1).toUpperCase() + own.slice(1);
  const shorter = (nouns[tag] ?? [ownNoun])
    .map((noun) => operationId.replace(new RegExp(`(?<=[a-z])${noun}s?(?=[A-Z]|$)`), ''))
    .find((name) => name !== operationId);
  return shorter ?? operationId;
}

function camelCase(text: string): string {
  const [first = '', ...rest] = text.split(/[^A-Za-z0-9]+/);
  const upper = rest.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return [first.toLowerCase(), ...upper].join('');
}
