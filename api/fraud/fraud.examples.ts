import { plainAddressRules, standardFraudRules } from '../../entities/rules/fraud/fraud';
import { exampleOf } from '../http/contract/example';
import { FraudFlagDto } from './fraud.dto';

export const resolvedFlagExample = exampleOf(FraudFlagDto, {
  state: 'dismissed',
  note: 'A colleague of the partner, agreed by phone.',
  resolvedAt: '2026-02-01T08:00:00.000Z',
});

export const backTestExample = {
  conversions: 120,
  byRule: standardFraudRules.map((rule) => ({
    rule,
    hits: plainAddressRules.includes(rule) ? null : 2,
  })),
  byAction: [
    { action: 'flag', count: 6 },
    { action: 'hold', count: 0 },
    { action: 'reject', count: 1 },
  ],
};
