import { erasedEmail, erasedName, erasedText, erasedUrl } from './erasure';

/**
 * What becomes of a column. `hash`: a keyed hash stays, to compare with. `scrub`: what is in it is
 * read, and replaced where it names the person.
 */
export type CopyRule = 'placeholder' | 'null' | 'hash' | 'scrub' | 'delete';

export interface Treatment {
  rule: CopyRule;
  /** What stands there afterwards, in SQL; a null stays null. */
  value?: string;
  /** Whether a row still holds the person, in SQL; otherwise it is whatever differs from `value`. */
  dirty?: string;
}

/**
 * Rows of one table that hold personal data of a partner. `where` may name {participant}, {partner},
 * {program}, {workspace}, {mode}, {emails}, {emailKeys} and {at}, the moment of the erasure: an
 * address that is used anew later is somebody else's business.
 */
export interface Copy {
  table: string;
  of: 'participant' | 'account';
  /** The rows themselves, in the transaction of no return; everything else is cleaned after it. */
  isPivot?: true;
  /** Batches go along this key: columns with their types. */
  key: Readonly<Record<string, string>>;
  where: string;
  columns: Readonly<Record<string, Treatment>>;
  /** Assignments that go with it. */
  also?: string;
}

const nothing: Treatment = { rule: 'null' };
const gone: Treatment = { rule: 'delete' };
const hashed: Treatment = { rule: 'hash' };
const scrubbed: Treatment = { rule: 'scrub' };
const name = placeholder(quoted(erasedName));
const email = placeholder(quoted(erasedEmail));
const text = placeholder(quoted(erasedText));
const id = { id: 'uuid' };

function placeholder(value: string, dirty?: string): Treatment {
  return { rule: 'placeholder', value, ...(dirty === undefined ? {} : { dirty }) };
}

function quoted(value: string): string {
  return `'${value}'`;
}

/** A code that no one can type: each row has its own, so that they stay different. */
function code(column: string): Treatment {
  return placeholder(`'erased-' || replace(${column}::text, '-', '')`);
}

const eventObject = placeholder(
  `(object::jsonb || jsonb_build_object('partner_name', ${quoted(erasedName)}, 'message', NULL,
     'status_reason', NULL, 'referral_code', ''))::json`,
  `(object->>'partner_name' <> ${quoted(erasedName)} OR object->>'message' IS NOT NULL
     OR object->>'status_reason' IS NOT NULL OR object->>'referral_code' <> '')`,
);

const ofEvents = `(SELECT id FROM events
  WHERE object_id = {participant} AND type LIKE 'participant.%')`;
const ofInvites = `(program_id = {program} AND created_at <= {at}
  AND (email = ANY({emails}) OR accepted_by = {partner}))`;
const isConfirmation = `type IN ('account.erased', 'participant.erased')`;
const mail = {
  recipient: email,
  subject: text,
  params: placeholder(`'{}'::jsonb`),
};
const mailIsOver = `status = CASE status WHEN 'queued' THEN 'dropped' ELSE status END`;

/** A participation's, in the order in which they are cleaned: some are found by those after them. */
const ofParticipant: Omit<Copy, 'of'>[] = [
  {
    table: 'participants',
    isPivot: true,
    key: id,
    where: 'id = {participant}',
    columns: {
      partner_name: name,
      partner_email: email,
      status_reason: nothing,
      message: nothing,
      referral_code: code('id'),
    },
  },
  {
    table: 'tracking_links',
    key: id,
    where: 'participant_id = {participant}',
    columns: { token: code('id'), name: nothing, target_url: placeholder(quoted(erasedUrl)) },
  },
  {
    table: 'referral_tokens',
    key: { token_key: 'text' },
    where: `participant_id = {participant} AND token_key NOT LIKE 'erased:%'`,
    columns: { token_key: hashed, token: text },
  },
  {
    table: 'commissions',
    key: id,
    where: 'participant_id = {participant}',
    columns: { rejection_reason: text, override_reason: text },
    // Whoever decides on the row as it was before must look again.
    also: 'version = version + 1',
  },
  {
    table: 'commission_history',
    key: { commission_id: 'uuid', id: 'uuid' },
    where: 'commission_id IN (SELECT id FROM commissions WHERE participant_id = {participant})',
    columns: { reason: text },
  },
  {
    table: 'clicks',
    key: { created_at: 'timestamptz', id: 'uuid' },
    where: 'participant_id = {participant}',
    columns: { url: nothing, referrer: nothing, user_agent: nothing, ip_hash: nothing },
  },
  {
    table: 'events',
    key: id,
    where: `object_id = {participant} AND type LIKE 'participant.%'`,
    columns: { object: eventObject },
  },
  {
    table: 'webhook_deliveries',
    key: id,
    where: `event_id IN ${ofEvents}`,
    columns: { response_body: nothing },
  },
  {
    table: 'notifications',
    key: id,
    where: `feed_id IN ({workspace}, {partner}) AND participant_id = {participant}`,
    columns: { title: text, body: text },
  },
  {
    table: 'mails',
    key: id,
    where: `account_id = {partner} AND side = 'partner' AND workspace_id = {workspace}
      AND mode = {mode} AND NOT ${isConfirmation}
      AND {participant}::text = params->>'participantId'`,
    columns: { ...mail, account_id: nothing },
    also: mailIsOver,
  },
  {
    table: 'mails',
    key: id,
    where: `workspace_id = {workspace} AND mode = {mode} AND side IS DISTINCT FROM 'partner'
      AND {participant}::text = params->>'participantId'`,
    columns: { subject: text, params: mail.params },
    also: mailIsOver,
  },
  {
    table: 'mails',
    key: id,
    where: `workspace_id = {workspace} AND mode = {mode} AND type = 'partner.invited'
      AND params->>'inviteId' IN (SELECT id::text FROM partner_invites WHERE ${ofInvites})`,
    columns: mail,
    also: mailIsOver,
  },
  {
    table: 'partner_invites',
    key: id,
    where: ofInvites,
    columns: { email, name: nothing },
    also: `status = 'erased'`,
  },
];

/** What belongs to no participation. */
const ofAccount: Omit<Copy, 'of'>[] = [
  {
    table: 'partner_accounts',
    isPivot: true,
    key: id,
    where: 'id = {partner}',
    columns: {
      email,
      name,
      password_hash: placeholder(quoted('!')),
      vat_id_encrypted: nothing,
      payout_details_encrypted: nothing,
    },
    also: `email_verified_at = NULL, email_generation = email_generation + 1,
      password_generation = password_generation + 1`,
  },
  {
    table: 'sessions',
    key: id,
    where: `side = 'partner' AND account_id = {partner}`,
    columns: { user_agent: nothing },
  },
  {
    table: 'account_addresses',
    key: { ip_hash: 'text' },
    where: `side = 'partner' AND account_id = {partner}`,
    columns: { ip_hash: gone },
  },
  {
    table: 'login_failures',
    key: id,
    where: 'email_key = ANY({emailKeys}) AND failed_at <= {at}',
    columns: { email_key: gone, ip_hash: gone },
  },
  {
    table: 'email_tokens',
    key: id,
    where: `side = 'partner' AND account_id = {partner}`,
    columns: { email: gone },
  },
  {
    table: 'notification_preferences',
    key: { category: 'text' },
    where: `side = 'partner' AND account_id = {partner}`,
    columns: { category: gone },
  },
  {
    table: 'notifications',
    key: id,
    where: `feed_id = {partner} AND side = 'partner'`,
    columns: { title: text, body: text },
  },
  {
    table: 'mails',
    key: id,
    where: `side = 'partner' AND account_id = {partner} AND NOT ${isConfirmation}`,
    columns: { ...mail, account_id: nothing },
    also: mailIsOver,
  },
  {
    table: 'mails',
    key: id,
    where: `(recipient = ANY({emails}) AND side = 'partner' AND created_at <= {at}
      OR type = 'security.email_changed' AND {partner}::text = params->>'accountId')`,
    columns: mail,
    also: mailIsOver,
  },
  {
    table: 'suppressed_addresses',
    key: id,
    where: `email = ANY({emails}) AND created_at <= {at}
      AND NOT EXISTS (SELECT 1 FROM merchant_accounts a
        WHERE a.email = suppressed_addresses.email AND a.removed_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM partner_accounts a
        WHERE a.email = suppressed_addresses.email AND a.erased_at IS NULL)`,
    columns: { email: nothing },
  },
  {
    table: 'partner_invites',
    key: id,
    where: '(email = ANY({emails}) OR accepted_by = {partner}) AND created_at <= {at}',
    columns: { email, name: nothing },
    also: `status = 'erased'`,
  },
  {
    table: 'idempotency_keys',
    key: { mode: 'text', path: 'text', key: 'text' },
    // Without an answer it is the claim of a request that still runs.
    where: 'principal_id = {partner} AND answer IS NOT NULL',
    columns: { key: gone, body_hash: gone, answer: gone },
  },
];

/** Every place of personal data of partners that is found by an id or an address. */
export const copies: readonly Copy[] = [
  ...ofParticipant.map((copy) => ({ ...copy, of: 'participant' as const })),
  ...ofAccount.map((copy) => ({ ...copy, of: 'account' as const })),
];

export type ScannedTable = 'webhook_deliveries' | 'idempotency_keys' | 'stripe_events';

/**
 * Free text of a workspace that may name anyone: it is read, page by page, and treated where it
 * names the person. Encrypted columns are decrypted for it.
 */
export const scanned: Readonly<Record<ScannedTable, Readonly<Record<string, Treatment>>>> = {
  /** What receivers answered. */
  webhook_deliveries: { response_body: nothing },
  /** Answers to members' requests: a retry still gets them, without the person. */
  idempotency_keys: { answer: scrubbed },
  /** Raw events of Stripe's that are done with: what they told of money is in other tables. */
  stripe_events: { body: scrubbed },
};
