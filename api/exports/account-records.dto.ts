import { notificationCategories } from '../../entities/rules/mail/mail';
import { AnyText, Flag, Instant, OneOf, Uuid } from '../http/contract/validators';

export class ExportedSessionDto {
  @AnyText({ nullable: true, example: 'Firefox' })
  userAgent!: string | null;

  @Instant()
  createdAt!: string;

  @Instant()
  lastUsedAt!: string;

  @Instant({ nullable: true })
  endedAt!: string | null;
}

export class ExportedPreferenceDto {
  @OneOf(notificationCategories.partner)
  category!: string;

  @Flag({ nullable: true, description: 'Null: not chosen.' })
  inApp!: boolean | null;

  @Flag({ nullable: true, description: 'Null: not chosen.' })
  email!: boolean | null;
}

export class ExportedNoticeDto {
  @Uuid()
  id!: string;

  @OneOf(['test', 'live', 'both'])
  mode!: string;

  @AnyText()
  type!: string;

  @AnyText()
  title!: string;

  @AnyText()
  body!: string;

  @Instant()
  createdAt!: string;

  @Instant({ nullable: true })
  dismissedAt!: string | null;
}

export class ExportedMailDto {
  @Uuid()
  id!: string;

  @OneOf(['test', 'live'], { nullable: true, description: 'Null where it belongs to both.' })
  mode!: string | null;

  @AnyText()
  type!: string;

  @AnyText({ nullable: true, description: 'Null until it was rendered.' })
  subject!: string | null;

  @AnyText()
  status!: string;

  @Instant()
  createdAt!: string;
}

export class ExportedInviteDto {
  @Uuid()
  id!: string;

  @OneOf(['test', 'live'])
  mode!: string;

  @AnyText()
  email!: string;

  @AnyText({ nullable: true })
  name!: string | null;

  @AnyText()
  status!: string;

  @AnyText({ nullable: true })
  programName!: string | null;

  @Instant()
  createdAt!: string;
}

export class ExportedNetworkDto {
  @AnyText({ description: 'Keyed.' })
  hash!: string;

  @Instant()
  lastSeenAt!: string;
}
