import { openDeliveries } from '../../entities/rules/webhooks/delivery-status';
import { listed } from '../../entities/database/moving';

const open = listed(openDeliveries);

/** Endpoints that have open deliveries, one index probe each, as `waiting`. */
export const endpointsWithOpen = `
  WITH RECURSIVE waiting AS (
    (SELECT d.endpoint_id FROM webhook_deliveries d
      WHERE d.status IN (${open}) ORDER BY d.endpoint_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.endpoint_id FROM webhook_deliveries d
             WHERE d.status IN (${open}) AND d.endpoint_id > w.endpoint_id
             ORDER BY d.endpoint_id LIMIT 1)
      FROM waiting w WHERE w.endpoint_id IS NOT NULL
  )`;
