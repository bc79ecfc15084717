import { inviteMoves } from '../partners/invite';
import { targetOf } from '../values/moves';
import { erasedName, erasedUrl } from './erasure';
import {
  code,
  email,
  gone,
  hashed,
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
/** A participation's, in the order in which they are cleaned: some are found by those after them. */
export const ofParticipant: readonly Omit<Copy, 'of'>[] = [
  {
    table: 'participants',
    isPivot: true,
    key: id,
    where: 'id = {participant}',
    columns: {
      partner_name: name,
      partner_email: email,
      bound_email: nothing,
      status_reason: nothing,
      message: nothing,
      referral_code: code('id'),
      payout_method_encrypted: nothing,
      payout_method_type: nothing,
      payout_method_label: nothing,
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
    columns: { token_key: hashed, token: text, imported_key: nothing },
  },
  {
    table: 'commissions',
    key: id,
    where: 'participant_id = {participant}',
    columns: { rejection_reason: text, override_reason: text, adjustment_reason: text },
    // Whoever decides on the row as it was before must read it again.
    also: 'version = version + 1',
  },
  {
    table: 'commission_history',
    key: { commission_id: 'uuid', id: 'uuid' },
    where: 'commission_id IN (SELECT id FROM commissions WHERE participant_id = {participant})',
    columns: { reason: text },
  },
  {
    table: 'group_memberships',
    key: id,
    where: 'participant_id = {participant} AND reason IS NOT NULL',
    columns: { reason: text },
  },
  {
    table: 'fraud_flags',
    key: id,
    where: 'participant_id = {participant} AND note IS NOT NULL',
    columns: { note: text },
  },
  {
    table: 'payout_items',
    key: id,
    where: 'participant_id = {participant}',
    columns: {
      reason: text,
      method_label: nothing,
      method_encrypted: nothing,
      provider_item_id: nothing,
    },
  },
  {
    table: 'payout_batch_items',
    key: { batch_id: 'uuid', item_id: 'uuid' },
    where: 'item_id IN (SELECT id FROM payout_items WHERE participant_id = {participant})',
    columns: { address_hash: nothing },
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
    where: `workspace_id = {workspace} AND mode = {mode} AND type = 'partner.added'
      AND {participant}::text = params->>'participantId'`,
    columns: mail,
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
    also: `status = '${targetOf(inviteMoves, 'erase')}'`,
  },
  {
    table: 'import_rows',
    key: { import_id: 'uuid', kind: 'text', n: 'int' },
    where: `address_hash = ANY({addressHashes})
      AND import_id IN (SELECT id FROM imports WHERE program_id = {program})`,
    columns: { sealed: gone, address_hash: gone },
  },
];
