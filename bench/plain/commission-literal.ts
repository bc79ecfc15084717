import type * as NewCommission from '../../activities/commissions/plan';
import { substitute } from './substitute';

// One spread of the commission, at least as much as building it from parts would take.
substitute<typeof NewCommission>('../../activities/commissions/plan', (real) => ({
  planCommission: (input, now) => {
    const change = real.planCommission(input, now);
    return change && { ...change, commission: { ...change.commission } };
  },
}));
