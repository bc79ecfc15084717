import { createAnalyticsActivities } from './analytics/activities';
import { createCommissionActivities } from './commissions/activities';
import { createErasureActivities } from './erasure/activities';
import { createMailActivities } from './mail/activities';
import { createMaintenanceActivities } from './maintenance/activities';
import type { Deps } from '../runtime/process/deps';
import { createStripeActivities } from './stripe/activities';
import { createTestDataActivities } from './test-data/activities';
import { createWebhookActivities } from './webhooks/activities';

/** Every activity that a workflow may call, by name. Workflows import only the type. */
export function createActivities(deps: Deps) {
  return {
    ...createAnalyticsActivities(deps),
    ...createCommissionActivities(deps),
    ...createErasureActivities(deps),
    ...createMailActivities(deps),
    ...createMaintenanceActivities(deps),
    ...createStripeActivities(deps),
    ...createTestDataActivities(deps),
    ...createWebhookActivities(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;
