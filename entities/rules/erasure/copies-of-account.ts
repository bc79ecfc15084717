import { inviteMoves } from '../partners/invite';
import { targetOf } from '../values/moves';
import {
  email,
  gone,
  id,
  isConfirmation,
  mail,
  mailIsOver,
  name,
  nothing,
  placeholder,
  quoted,
  text,
  type Copy,
} from './treatments';

type OfAccount = Omit<Copy, 'of'>;

/** Rows that name the account as their own. */
const ofOwn = (table: string, key: OfAccount['key'], columns: OfAccount['columns']): OfAccount => ({
  table,
  key,
  where: `side = 'partner' AND account_id = {partner}`,
  columns,
});

/** What belongs to no participation. */
export const ofAccount: readonly OfAccount[] = [
  {
    table: 'partner_accounts',
    isPivot: true,
    key: id,
    where: 'id = {partner}',
    columns: {
      email,
      held_email: nothing,
      name,
      password_hash: placeholder(quoted('!')),
      vat_id_encrypted: nothing,
      payout_method_encrypted: nothing,
      payout_method_type: nothing,
      payout_method_label: nothing,
    },
    also: `email_verified_at = NULL, email_generation = email_generation + 1,
      password_generation = password_generation + 1`,
  },
  ofOwn('sessions', id, { user_agent: nothing }),
  ofOwn('account_addresses', { ip_hash: 'text' }, { ip_hash: gone }),
  ofOwn('two_factors', { account_id: 'uuid' }, { secret_encrypted: gone, recovery_hashes: gone }),
  {
    table: 'login_failures',
    key: id,
    where: 'email_key = ANY({emailKeys}) AND failed_at <= {at}',
    columns: { email_key: gone, ip_hash: gone },
  },
  ofOwn('email_tokens', id, { email: gone }),
  ofOwn('notification_preferences', { category: 'text' }, { category: gone }),
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
    table: 'partner_invites',
    key: id,
    where: '(email = ANY({emails}) OR accepted_by = {partner}) AND created_at <= {at}',
    columns: { email, name: nothing },
    also: `status = '${targetOf(inviteMoves, 'erase')}'`,
  },
  {
    table: 'idempotency_keys',
    key: { mode: 'text', path: 'text', key: 'text' },
    // A row without an answer is the claim of a request that still runs.
    where: 'principal_id = {partner} AND answer IS NOT NULL',
    columns: { key: gone, body_hash: gone, answer: gone },
  },
  {
    table: 'import_rows',
    key: { import_id: 'uuid', kind: 'text', n: 'int' },
    where: `address_hash = ANY({addressHashes})`,
    columns: { sealed: gone, address_hash: gone },
  },
];
