/**
 * The records of the API as pages call them, and all other shapes by the API's own names: both from
 * the client package, whose types are made from the API's document.
 */
export type * from '../../packages/client/src/generated/types.gen.ts';
export type {
  ApiKeyDto as Key,
  BalanceDto as Balance,
  CommissionDetailDto as CommissionDetail,
  CommissionDto as Commission,
  CommissionRuleDto as Rule,
  ConversionDto as Conversion,
  ParticipantDto as Participant,
  PartnerProgramDto as PartnerProgram,
  PayoutDetailDto as PayoutDetail,
  PayoutDto as Payout,
  ProgramDto as Program,
  PublicProgramDto as OpenProgram,
  TrackingDto as Tracking,
  WebhookDto as Webhook,
} from '../../packages/client/src/generated/types.gen.ts';
