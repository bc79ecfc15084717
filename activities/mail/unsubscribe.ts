import { AppError } from '../../entities/errors';
import { isUuid } from '../../entities/ids';
import { sides, type Side } from '../../entities/rules/accounts/accounts';
import { notificationCategories, type NotificationCategory } from '../../entities/rules/mail/mail';
import type { Db } from '../../entities/database/sql';
import type { Cause } from '../journal/cause';
import { saveChoices } from '../notifications/preferences';
import type { Deps } from '../../runtime/process/deps';
import { sameText, type Vault } from '../../runtime/crypto/vault';

export interface Subscription {
  side: Side;
  accountId: string;
  category: NotificationCategory;
}

/** The address that switches one category of one account off. It never expires. */
export function unsubscribeUrl(
  { config, vault }: Pick<Deps, 'config' | 'vault'>,
  subscription: Subscription,
): string {
  return `${config.publicBaseUrl}/unsubscribe?token=${unsubscribeToken(vault, subscription)}`;
}

function unsubscribeToken(
  vault: Pick<Vault, 'derive'>,
  { side, accountId, category }: Subscription,
): string {
  const mac = vault.derive('mail:unsubscribe', side, accountId, category);
  return `${side}.${accountId}.${category}.${mac}`;
}

/** Switches the e-mail of a token's category off; again is fine. EMAIL_TOKEN_INVALID. */
export async function unsubscribe(
  { db, vault }: { db: Db; vault: Pick<Vault, 'derive'> },
  { now }: Cause,
  { token }: { token: string },
): Promise<void> {
  const subscription = readToken(vault, token);
  if (!subscription) {
    throw new AppError('EMAIL_TOKEN_INVALID', { message: 'This unsubscribe link is not valid.' });
  }
  const { category } = subscription;
  await saveChoices(db, { now }, { holder: subscription, changes: [{ category, email: false }] });
}

function readToken(vault: Pick<Vault, 'derive'>, token: string): Subscription | undefined {
  const [sideText, accountId, categoryText] = token.split('.');
  const side = sides.find((candidate) => candidate === sideText);
  if (!side || !isUuid(accountId)) return undefined;
  const category = notificationCategories[side].find((candidate) => candidate === categoryText);
  if (!category) return undefined;
  const subscription = { side, accountId, category };
  return sameText(token, unsubscribeToken(vault, subscription)) ? subscription : undefined;
}
