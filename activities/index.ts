import { createAnalyticsActivities } from './analytics/activities';
import { createCommissionActivities } from './commissions/activities';
import { createErasureActivities } from './erasure/activities';
import { createImportActivities } from './imports/activities';
import { createMailActivities } from './mail/activities';
import type { MailServer } from './mail/server';
import { createMaintenanceActivities } from './maintenance/activities';
import type { Deps } from '../runtime/process/deps';
import { createStripeActivities } from './billing/activities';
import { createBillerCodeActivities } from './billing/codes/activities';
import { createSendingActivities } from './sending/activities';
import { createTestDataActivities } from './test-data/activities';
import { createWebhookActivities } from './webhooks/activities';

/**
 * Every activity that a workflow may call, by name. Workflows import only the type. Who sends mails
 * beside them shares the mail server.
 */
export function createActivities(deps: Deps, mailServer?: MailServer) {
  return {
    ...createAnalyticsActivities(deps),
    ...createCommissionActivities(deps),
    ...createErasureActivities(deps),
    ...createImportActivities(deps),
    ...createMailActivities(deps, mailServer),
    ...createMaintenanceActivities(deps),
    ...createStripeActivities(deps),
    ...createBillerCodeActivities(deps),
    ...createSendingActivities(deps),
    ...createTestDataActivities(deps),
    ...createWebhookActivities(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;
