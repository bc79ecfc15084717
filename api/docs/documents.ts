import { release } from '../../runtime/observe/release';
import { buildDocument, type DocumentOptions } from '../http/contract/openapi';
import type { Route } from '../http/contract/route';
import { eventPayloadClasses } from '../webhooks/event-payloads.dto';
import { withCodeSamples } from './code-samples';
import { guidePath } from './pages';

const waitlistPath = '/api/public/';

/** Each is used by an operation, and operations use no others. */
export const tags = [
  {
    name: 'Tracking',
    description: 'Clicks and the browser snippet; the guide is at /api/docs/integrate.',
  },
  { name: 'Conversions', description: 'Purchases reported by servers, their refunds.' },
  { name: 'Customers', description: 'Who brought a customer, so that later sales are credited.' },
  { name: 'Attribution', description: 'Why a conversion was, or was not, credited.' },
  { name: 'Commissions', description: 'What partners earn, and the decisions on it.' },
  { name: 'Imports', description: 'Moving in from another system, and leaving with everything.' },
  { name: 'Payouts', description: 'Paying partners, balances.' },
  { name: 'Erasure', description: 'Erasing and exporting the personal data of partners.' },
  { name: 'Programmes', description: 'Programmes and their commission rules.' },
  { name: 'Groups', description: 'Partners of a programme under terms of their own.' },
  { name: 'Tiers', description: 'Groups that partners reach by what they bring.' },
  { name: 'Bonuses', description: 'What partners earn once, by what they bring.' },
  { name: 'Partners', description: 'Participants of a programme, invites, codes.' },
  { name: 'Partner portal', description: 'What partners see and do.' },
  { name: 'Partner account', description: 'Name, VAT id and payout method of a partner.' },
  { name: 'Sign-in', description: 'Registration, tokens, lost passwords, verification.' },
  { name: 'Own account', description: 'Address, password and sessions of who is signed in.' },
  { name: 'Workspace', description: 'Settings, audit log, suppressed addresses.' },
  { name: 'API keys', description: 'Public, secret and management keys of both modes.' },
  { name: 'Members', description: 'Who works in the workspace, and as what.' },
  { name: 'Stripe', description: 'The connection to the payment processor and its events.' },
  { name: 'Billers', description: 'Connections to Paddle and Polar, and their events.' },
  {
    name: 'Webhooks',
    description:
      'Outbound events to your servers. The schemas `ConversionCreatedEvent`, `CommissionApprovedEvent` and so on, one for each kind, are the bodies that are posted to you.',
  },
  { name: 'Notifications', description: 'Feed, preferences and stream of members.' },
  { name: 'Test mode', description: 'Mails that test mode kept back.' },
  { name: 'Inbound', description: 'Signed events from other services.' },
  { name: 'Pages', description: 'Small pages that links in mails open.' },
  { name: 'Analytics', description: 'Key figures, trends, performance of partners.' },
  { name: 'Fraud', description: 'Rules and flags.' },
  { name: 'Health', description: 'Liveness and readiness.' },
  { name: 'Documentation', description: 'This document.' },
  { name: 'Waitlist', description: 'Public sign-up of the landing page.' },
];

const description = `Affiliate programmes for merchants: clicks, conversions, commissions.
A merchant's developer begins with the guide at /api/docs/integrate: from the script tag to the first attributed sale.

Every request runs in test or live mode: a key's prefix fixes it, a dashboard request names it in \`X-Mode\` (default live).
Lists answer \`{data, total, page, limit, nextCursor}\`; to read a whole list, give \`nextCursor\` as \`cursor\` until it is null. Money is in integer minor units with an ISO 4217 code; times are ISO 8601 in UTC.
Errors answer \`{statusCode, message, error, code}\`; match on \`code\`.`;

/** The main API: everything but the waitlist; with samples in curl and for the client package. */
export function buildMainDocument(
  routes: readonly Route[],
  serverUrl: string,
): Record<string, unknown> {
  return withCodeSamples(buildDocument(routes, mainDocument(serverUrl)));
}

export function mainDocument(serverUrl: string): DocumentOptions {
  return {
    openapi: '3.0.3',
    title: 'Affiliate Programme Service',
    description,
    version: release(),
    serverUrl,
    externalDocs: {
      description: 'From the script tag to the first attributed sale',
      url: serverUrl + guidePath,
    },
    tags,
    eventClasses: eventPayloadClasses,
    includes: (path) => !path.startsWith(waitlistPath) || path.startsWith('/api/public/openapi'),
  };
}

export function waitlistDocument(serverUrl: string): DocumentOptions {
  return {
    openapi: '3.1.0',
    title: 'Affiliate Programme Service: waitlist',
    description: 'Sign-up for the waitlist and its counter. No credential.',
    version: release(),
    serverUrl,
    tags,
    includes: (path) => path.startsWith('/api/public/waitlist'),
  };
}
