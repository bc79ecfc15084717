import type { EntitySchema, MixedList } from 'typeorm';
import { Click } from './click.entity';
import { Participant } from './participant.entity';
import { PartnerInvite } from './partner-invite.entity';
import { Program } from './program.entity';
import { PromoCode } from './promo-code.entity';
import { ReferralToken } from './referral-token.entity';
import { TrackingLink } from './tracking-link.entity';

type EntityClass = MixedList<string | EntitySchema | (new () => object)>;

/** Every entity class, one line each. */
export const entities = [
  Program,
  Click,
  Participant,
  TrackingLink,
  ReferralToken,
  PromoCode,
  PartnerInvite,
] satisfies EntityClass;
