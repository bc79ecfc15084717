import type { Side } from '../accounts/accounts';
import {
  emailDefault,
  mailSpec,
  notificationCategories,
  type MailType,
  type NotificationCategory,
} from '../mail/mail';

/** What an account has chosen for a category; null where it has chosen nothing. */
export interface Choice {
  category: string;
  inApp: boolean | null;
  email: boolean | null;
}

export interface Preference {
  category: NotificationCategory;
  inApp: boolean;
  email: boolean;
  protected: boolean;
}

/** Security notices can be neither hidden nor switched off. */
export function isProtected(category: string): boolean {
  return category === 'security';
}

/** One preference for each category of a side, in the order in which they are listed. */
export function effectivePreferences(side: Side, choices: readonly Choice[]): Preference[] {
  const chosen = new Map(choices.map((choice) => [choice.category, choice]));
  return notificationCategories[side].map((category) => {
    if (isProtected(category)) return { category, inApp: true, email: true, protected: true };
    const { inApp, email } = chosen.get(category) ?? {};
    return {
      category,
      inApp: inApp ?? true,
      email: email ?? emailDefault(side, category),
      protected: false,
    };
  });
}

/**
 * Whether mails of a type go to somebody who chose this for its category, or nothing: then what
 * waits for a person is mailed though its category is not by default.
 */
export function wantsMail(side: Side, type: MailType, chosen: boolean | null | undefined): boolean {
  const { category } = mailSpec(type);
  if (category === null || isProtected(category)) return true;
  return chosen ?? (type === 'commission.needs_review' || emailDefault(side, category));
}
