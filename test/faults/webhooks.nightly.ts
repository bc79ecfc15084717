// The same suite with more deliveries and more kills than `npm test` has time for.
import './webhooks.test';
