import type { NotificationRecord } from '../../activities/notifications/record';
import type { Side } from '../../entities/rules/accounts/accounts';
import { notificationCategories, type NotificationCategory } from '../../entities/rules/mail/mail';
import { notificationTypes } from '../../entities/rules/notifications/types';
import type { FieldProblem } from '../../entities/rules/values/field-problem';
import { PageQuery } from '../http/contract/pagination';
import {
  AnyText,
  Flag,
  Instant,
  Int,
  Json,
  ListOf,
  OneOf,
  QueryFlag,
  Uuid,
} from '../http/contract/validators';

const allCategories = [
  ...new Set([...notificationCategories.merchant, ...notificationCategories.partner]),
];

export class NotificationDto {
  @Uuid()
  id!: string;

  @OneOf(allCategories, { example: 'payouts' })
  category!: NotificationCategory;

  @OneOf(notificationTypes, { example: 'payout.completed' })
  type!: string;

  @AnyText({ example: 'A payout is completed' })
  title!: string;

  @AnyText({ example: 'EUR 120.00 to 2 partners of Tea Club.' })
  body!: string;

  @Json({
    schema: { type: 'object', additionalProperties: { type: 'string' } },
    description: 'Ids of what it is about, to link with.',
    example: { payoutId: '01890a5d-ac96-774b-bcce-b302099a8058' },
  })
  data!: Record<string, string>;

  @Instant({ nullable: true, description: 'When this account read it.' })
  readAt!: string | null;

  @Instant()
  createdAt!: string;
}

export function presentNotification(record: NotificationRecord): NotificationDto {
  const { id, category, type, title, body, data, readAt, createdAt } = record;
  return {
    id,
    category,
    type,
    title,
    body,
    data,
    readAt: readAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}

export class CountDto {
  @Int({ min: 0, example: 3 })
  count!: number;
}

/** The categories of a side differ, and with them the classes of its queries and bodies. */
export interface SideDtos {
  filter: new () => PageQuery & { category?: NotificationCategory; unread?: boolean };
  categoryBody: new () => { category?: NotificationCategory };
  preferencesBody: new () => PreferencesBody;
  preferences: new () => object;
}

export interface PreferencesBody {
  preferences: { category: NotificationCategory; inApp?: boolean; email?: boolean }[];
}

interface SideWords {
  categories: readonly NotificationCategory[];
  word: 'Merchant' | 'Partner';
}

function dtosOf(side: Side): SideDtos {
  const words: SideWords = {
    categories: notificationCategories[side],
    word: side === 'merchant' ? 'Merchant' : 'Partner',
  };
  return { ...feedDtos(words), ...shownPreferences(words), ...changedPreferences(words) };
}

/** Names a class after its side: the document has those of both. */
function ofSide<T extends new () => object>({ word }: SideWords, type: T): T {
  Object.defineProperty(type, 'name', { value: `${word}${type.name}` });
  return type;
}

function feedDtos(words: SideWords): Pick<SideDtos, 'filter' | 'categoryBody'> {
  class NotificationFilter extends PageQuery {
    @OneOf(words.categories, { optional: true })
    category?: NotificationCategory;

    @QueryFlag({ optional: true, description: 'Only unread ones, or only read ones.' })
    unread?: boolean;
  }

  class NotificationCategoryBody {
    @OneOf(words.categories, { optional: true, description: 'All of them by default.' })
    category?: NotificationCategory;
  }
  return {
    filter: ofSide(words, NotificationFilter),
    categoryBody: ofSide(words, NotificationCategoryBody),
  };
}

function shownPreferences(words: SideWords): Pick<SideDtos, 'preferences'> {
  class PreferenceDto {
    @OneOf(words.categories)
    category!: NotificationCategory;

    @Flag({ description: 'Shown in the feed.' })
    inApp!: boolean;

    @Flag({ description: 'Sent by e-mail.' })
    email!: boolean;

    @Flag({ description: 'Cannot be switched off.' })
    protected!: boolean;
  }
  ofSide(words, PreferenceDto);

  class PreferencesDto {
    @ListOf(() => PreferenceDto)
    preferences!: PreferenceDto[];
  }
  return { preferences: ofSide(words, PreferencesDto) };
}

function changedPreferences(words: SideWords): Pick<SideDtos, 'preferencesBody'> {
  class PreferenceChange {
    @OneOf(words.categories)
    category!: NotificationCategory;

    @Flag({ optional: true })
    inApp?: boolean;

    @Flag({ optional: true })
    email?: boolean;
  }
  ofSide(words, PreferenceChange);

  class PreferencesBody {
    @ListOf(() => PreferenceChange, { min: 1, max: 20 })
    preferences!: PreferenceChange[];
  }
  return { preferencesBody: ofSide(words, PreferencesBody) };
}

export const sideDtos: Record<Side, SideDtos> = {
  merchant: dtosOf('merchant'),
  partner: dtosOf('partner'),
};

/** A category twice in one body leaves open which of them counts. */
export function preferenceProblems({ preferences }: PreferencesBody): FieldProblem[] {
  const seen = new Set<string>();
  return preferences.flatMap(({ category }, index) => {
    const isRepeated = seen.has(category);
    seen.add(category);
    const field = `preferences[${index}].category`;
    return isRepeated ? [{ field, message: 'must not be named twice' }] : [];
  });
}

export class TicketDto {
  @AnyText({ description: 'For `?ticket=` of the stream, once.', example: 'q3xZ...' })
  ticket!: string;

  @Instant()
  expiresAt!: string;
}

export class StreamQuery {
  @Json({
    optional: true,
    schema: { type: 'string' },
    description: 'Id of the last event that was received; the header Last-Event-ID counts first.',
  })
  lastEventId?: unknown;

  @Json({
    optional: true,
    schema: { type: 'string' },
    description: 'A ticket in place of the bearer.',
  })
  ticket?: unknown;
}
