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

/** What belongs to no participation. */
export const ofAccount: readonly Omit<Copy, 'of'>[] = [
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
      payout_method_encrypted: nothing,
      payout_method_type: nothing,
      payout_method_label: nothing,
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
    table: 'two_factors',
    key: { account_id: 'uuid' },
    where: `side = 'partner' AND account_id = {partner}`,
    columns: { secret_encrypted: gone, recovery_hashes: gone },
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
    table: 'partner_invites',
    key: id,
    where: '(email = ANY({emails}) OR accepted_by = {partner}) AND created_at <= {at}',
    columns: { email, name: nothing },
    also: `status = '${targetOf(inviteMoves, 'erase')}'`,
  },
  {
    table: 'idempotency_keys',
    key: { mode: 'text', path: 'text', key: 'text' },
    // Without an answer it is the claim of a request that still runs.
    where: 'principal_id = {partner} AND answer IS NOT NULL',
    columns: { key: gone, body_hash: gone, answer: gone },
  },
];
