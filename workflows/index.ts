export { commissionLifecycle } from './commission-lifecycle';
export { deliverMail } from './deliver-mail';
export { partitions, reconcileAnalytics, repair, retention, waitlistPurge } from './maintenance';
export { checkLedgers } from './maintenance';
export { eraseSubject } from './erase-subject';
export { requeueDeadLetters } from './requeue-dead-letters';
export { resetTestData } from './reset-test-data';
export { webhookRetries } from './webhook-retries';
export { processStripeEvent } from './process-stripe-event';
