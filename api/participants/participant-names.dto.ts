import {
  participantStatuses,
  type ParticipantStatus,
} from '../../entities/rules/partners/participant-status';
import { PageQuery } from '../http/contract/pagination';
import { AnyText, OneOf, Text, Uuid } from '../http/contract/validators';
import { uuids } from './participants.dto';

export class ParticipantNameQuery extends PageQuery {
  @Text({
    max: 3_700,
    optional: true,
    pattern: uuids,
    description: 'These alone: 1 to 100 ids, with commas between them.',
  })
  ids?: string;

  @Text({
    max: 200,
    optional: true,
    description: 'Part of the name, the address, the referral code or a promo code, in any case.',
  })
  search?: string;

  @Uuid({ optional: true, description: 'Narrows to one programme.' })
  programId?: string;
}

export class ParticipantNameDto {
  @Uuid()
  id!: string;

  @Uuid()
  programId!: string;

  @AnyText({ example: 'Tea shop' })
  programName!: string;

  @AnyText()
  partnerName!: string;

  @AnyText()
  partnerEmail!: string;

  @OneOf(participantStatuses, { example: 'approved' })
  status!: ParticipantStatus;
}
