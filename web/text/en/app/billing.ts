export const billing = {
  title: 'Billing',
  whoBills: 'Who bills for you?',
  hints: {
    stripe: 'With Stripe every payment is credited by itself, renewals too.',
    paddle:
      'With Paddle every transaction is credited by itself, renewals too. Your checkout passes the click on in custom_data.',
    polar:
      'With Polar every order is credited by itself, renewals too. Your checkout passes the click on in metadata; links to buy.polar.sh get it from the script.',
  },
  anotherHint:
    'Whoever takes your money: your server tells of each sale, with the click that came with the order.',
  reportHint:
    'This is done with the first sale that it reports. The page that takes the order hands over the click, which is window.__selgeo.getClickId(); once the order is paid your server sends:',
  guide: 'How your website passes the click on',
  asksAdmin: 'An admin of the workspace connects it.',
  seeEvents: (name: string) => `State and events of ${name}`,
  connect: (name: string) => `Connect ${name}`,
  change: (name: string) => `Change the key of ${name}`,
  waits: 'No event has come yet: the first payment will show that it works.',
  disconnect: (name: string) => `Disconnect ${name}`,
  disconnectHint: (name: string) =>
    `Payments at ${name} make no sales any more. What was recorded stays.`,
  missingKinds: (name: string) => `What ${name} does not tell`,
  eventsOf: (name: string) => `${name} events`,
  noEvents: (name: string) => `No event has come from ${name} yet.`,
  kind: 'Kind',
  replay: 'Send again',
  makeKey: {
    stripe: 'Make a restricted key at Stripe.',
    paddle: 'Make an API key at Paddle, at Developer tools, Authentication.',
    polar: 'Make an access token at Polar, in the settings of your organisation.',
  },
  keyNames: { stripe: 'Restricted key', paddle: 'API key', polar: 'Access token' },
  givePermissions: 'Give it these permissions, and none besides:',
  permissions: {
    stripe: [
      'Charges: read',
      'Balance transaction sources: read',
      'PaymentIntents: read',
      'Invoices: read',
      'Checkout Sessions: read',
      'Promotion Codes: read',
      'Events: read',
      'Webhook Endpoints: write',
    ],
    paddle: [
      'transaction.read',
      'adjustment.read',
      'discount.read',
      'customer.read',
      'notification.read',
      'notification_setting.write',
    ],
    polar: ['orders:read', 'refunds:read', 'disputes:read', 'discounts:read', 'webhooks:write'],
  },
  forCodes: 'And where partners’ promo codes are to be made with a discount:',
  codePermissions: {
    stripe: ['Coupons: write', 'Promotion Codes: write'],
    paddle: ['discount.write'],
    polar: ['discounts:write'],
  },
  pasteKey: (name: string) =>
    `Paste the key here. With it the webhook at ${name} is made by itself.`,
  keyHint: 'Kept encrypted, and never shown again.',
  byHand: 'Without a key: make the webhook by hand',
  byHandHint: (name: string) =>
    `Add an endpoint at ${name} with this address and these events, then paste its signing secret. Fees and older payments cannot be looked up without a key.`,
  webhookSecret: 'Webhook secret',
  endpoint: 'Endpoint',
  events: 'Events',
  lastEvent: 'Last event',
  lastError: 'Last error',
  limit: 'What it never hears of',
};
