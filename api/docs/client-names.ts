/** The noun of a group that its methods need not repeat, where it is not the group's own name. */
const nouns: Record<string, string[]> = {
  Partners: ['Participant', 'Partner'],
  'Partner portal': ['Partner'],
  'Partner account': ['PartnerAccount', 'Account'],
  Programmes: ['Program'],
  Notifications: ['MerchantNotification', 'Merchant'],
  ...Object.fromEntries(
    ['Sign-in', 'Own account', 'Test mode', 'Tracking'].map((tag) => [tag, []]),
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

/** Groups and operations that no program calls: what services post to, people open, browsers load and monitors ask. */
const notCalled: readonly string[] = [
  ...['Inbound', 'Pages', 'Documentation', 'Health'],
  ...['getSnippet', 'getPinnedSnippet', 'getJwks'],
];

/**
 * How the client package calls an operation: `conversions.report` of reportConversion. Undefined for
 * what it does not have.
 */
export function clientMethod(tag: string, operationId: string): string | undefined {
  if (notCalled.includes(tag) || notCalled.includes(operationId)) return undefined;
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
