import type { DeliveryStatus } from '../../entities/rules/webhooks/delivery-status';

/** Endpoints that have rows of a status, one index probe each, as `waiting`. */
export const endpointsWith = (status: DeliveryStatus): string => `
  WITH RECURSIVE waiting AS (
    (SELECT d.endpoint_id FROM webhook_deliveries d
      WHERE d.status = '${status}' ORDER BY d.endpoint_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.endpoint_id FROM webhook_deliveries d
             WHERE d.status = '${status}' AND d.endpoint_id > w.endpoint_id
             ORDER BY d.endpoint_id LIMIT 1)
      FROM waiting w WHERE w.endpoint_id IS NOT NULL
  )`;
