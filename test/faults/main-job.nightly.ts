// The same suite with more sales and more kills than `npm test` has time for, and Temporal among what is killed.
import './main-job.test';
