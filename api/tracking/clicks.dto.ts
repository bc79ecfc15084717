import type { ClickRecord } from '../../activities/clicks/clicks';
import type { ClickOutcome } from '../../activities/clicks/record';
import { modes } from '../../entities/rules/values/mode';
import {
  absent,
  AnyText,
  Flag,
  Instant,
  OneOf,
  Text,
  ToldAddress,
  Uuid,
} from '../http/contract/validators';

/** The body of a click, sent by a browser or by a server for its visitor; `readClick` reads it. */
export class ClickBody {
  @AnyText({
    ...absent,
    description: 'The public key, unless it is the bearer.',
    example: 'pk_test_00000000000000000000000000000000',
  })
  key?: string | null;

  @Text({
    min: 1,
    max: 262_144,
    trim: true,
    description: 'The value of `?ref=`.',
    example: 'acme',
  })
  ref!: string;

  @AnyText({ ...absent, description: 'Address of the page; over 2,048 characters it is cut.' })
  url?: string | null;

  @AnyText({ ...absent, description: 'Where the visitor came from.' })
  referrer?: string | null;

  @AnyText({
    ...absent,
    description:
      'The token of an earlier answer. Without one, or with one that is not ours, a new visitor.',
  })
  visitor_token?: string | null;

  @AnyText({
    ...absent,
    description:
      "The visitor's User-Agent, from a server with a secret key: it decides who is a bot, and the server's own counts for nothing.",
  })
  user_agent?: string | null;

  @ToldAddress({
    ...absent,
    description:
      "The visitor's IP address, from a server with a secret key. Only a keyed hash is kept.",
    example: '203.0.113.7',
  })
  ip?: string | null;
}

export class ClickAnswerDto {
  @Uuid({
    nullable: true,
    description: 'What a conversion names; null when nothing was recorded.',
    example: '0199f5a0-1111-7000-8000-000000000001',
  })
  click_id!: string | null;

  @Flag({ example: true })
  recorded!: boolean;

  @AnyText({
    optional: true,
    description: 'Send it with the next click.',
    example: '0199f5a0-2222-7000-8000-000000000002.Zm9y',
  })
  visitor_token?: string;

  @Instant({
    optional: true,
    description: 'End of the attribution window, inclusive.',
    example: '2026-03-02T09:30:00.000Z',
  })
  expires_at?: string;

  @OneOf(['unknown_ref', 'bot'], {
    optional: true,
    description: 'Why nothing was recorded.',
  })
  reason?: 'unknown_ref' | 'bot';
}

export class ClickDto {
  @Uuid()
  id!: string;

  @OneOf(modes, { example: 'test' })
  mode!: string;

  @Uuid()
  program_id!: string;

  @Uuid()
  participant_id!: string;

  @Uuid()
  link_id!: string;

  @Uuid({ description: 'One browser tab session; nothing is known of the person.' })
  visitor_id!: string;

  @Flag({
    description: 'Whether the partner was approved at the click; else it never attributes.',
    example: true,
  })
  creditable!: boolean;

  @AnyText({ nullable: true, example: 'https://shop.example/?ref=acme' })
  url!: string | null;

  @AnyText({ nullable: true, example: 'https://blog.example/' })
  referrer!: string | null;

  @AnyText({ nullable: true, example: 'Mozilla/5.0 (X11; Linux x86_64)' })
  user_agent!: string | null;

  @Instant()
  created_at!: string;

  @Instant({ description: 'End of the attribution window, inclusive.' })
  expires_at!: string;
}

export function presentAnswer(outcome: ClickOutcome): ClickAnswerDto {
  if (!outcome.recorded) return { click_id: null, recorded: false, reason: outcome.reason };
  return {
    click_id: outcome.clickId,
    visitor_token: outcome.visitorToken,
    recorded: true,
    expires_at: outcome.expiresAt.toISOString(),
  };
}

export function presentClick(click: ClickRecord): ClickDto {
  return {
    id: click.id,
    mode: click.mode,
    program_id: click.programId,
    participant_id: click.participantId,
    link_id: click.linkId,
    visitor_id: click.visitorId,
    creditable: click.creditable,
    url: click.url,
    referrer: click.referrer,
    user_agent: click.userAgent,
    created_at: click.createdAt.toISOString(),
    expires_at: click.expiresAt.toISOString(),
  };
}
