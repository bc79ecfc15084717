import { mailTypes } from '../../entities/rules/mail/mail';
import { AnyText, DateOrInstant, Instant, OneOf, Text, Uuid } from '../http/contract/validators';
import type { Place } from '../../entities/database/list';
import { PageCursor, PageLimit, PageNumber } from '../http/contract/pagination';
import { logStatuses, type LogRow, type LogStatus } from './notification-log.queries';

export class NotificationLogFilter {
  @OneOf(logStatuses, { optional: true })
  status?: LogStatus;

  @DateOrInstant({ optional: true })
  from?: string;

  @DateOrInstant({ optional: true })
  to?: string;

  @Text({ max: 320, optional: true, description: 'The whole address.' })
  recipient?: string;

  @Text({ max: 100, optional: true, description: 'Exact.', example: 'participant.approved' })
  type?: string;

  @PageNumber()
  page: number = 1;

  @PageLimit()
  pageSize: number = 20;

  @PageCursor()
  cursor?: string;

  after?: Place;
}

export class NotificationLogDto {
  @Uuid()
  id!: string;

  @OneOf(logStatuses)
  status!: LogStatus;

  @AnyText({
    description: 'Whom the mail was meant for, also when it was redirected.',
    example: 'pat@example.com',
  })
  recipient!: string;

  @AnyText({
    description: `Such as ${Object.keys(mailTypes)[4]}.`,
    example: 'participant.approved',
  })
  type!: string;

  @AnyText({ example: 'You are a partner of Acme' })
  subject!: string;

  @Instant()
  createdAt!: string;
}

export class NotificationLogDetailDto extends NotificationLogDto {
  @AnyText({ description: 'The rendered mail.', example: '<!doctype html><html>...</html>' })
  html!: string;
}

export function presentLogEntry(row: LogRow): NotificationLogDto {
  return {
    id: row.id,
    status: row.status === 'sent' ? 'delivered' : row.status,
    recipient: row.recipient,
    type: row.type,
    subject: row.subject,
    createdAt: row.createdAt.toISOString(),
  };
}
