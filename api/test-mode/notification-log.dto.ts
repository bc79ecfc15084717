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

  @AnyText({ description: 'Whom the mail was meant for, also when it was redirected.' })
  recipient!: string;

  @AnyText({ description: `Such as ${Object.keys(mailTypes)[4]}.` })
  type!: string;

  @AnyText()
  subject!: string;

  @Instant()
  createdAt!: string;
}

export class NotificationLogDetailDto extends NotificationLogDto {
  @AnyText({ description: 'The rendered mail.' })
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

export const logExample: NotificationLogDto = {
  id: '019a0b1c-2d3e-7f40-8a51-000000000007',
  status: 'suppressed',
  recipient: 'pat@example.com',
  type: 'participant.approved',
  subject: 'You are a partner of Acme',
  createdAt: '2026-01-31T09:30:00.000Z',
};
