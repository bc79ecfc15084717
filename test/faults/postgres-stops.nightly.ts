// The same suite with more requests and more rounds than `npm test` has time for.
import './postgres-stops.test';
