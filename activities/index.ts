import { createCommissionActivities } from './commission-turns.activities';
import { createMailActivities } from './mail-delivery.activities';
import { createMaintenanceActivities } from './maintenance.activities';
import type { Deps } from './runtime/deps';
import { createStripeActivities } from './stripe-processing.activities';
import { createWebhookActivities } from './webhook-retries.activities';

/** Every activity that a workflow may call, by name. Workflows import only the type. */
export function createActivities(deps: Deps) {
  return {
    ...createCommissionActivities(deps),
    ...createMailActivities(deps),
    ...createMaintenanceActivities(deps),
    ...createStripeActivities(deps),
    ...createWebhookActivities(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;
