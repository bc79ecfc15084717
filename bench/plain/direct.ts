import type * as Direct from '../../api/http/server/direct';
import { substitute } from './substitute';

// All requests go through Koa.
substitute<typeof Direct>('../../api/http/server/direct', () => ({
  direct: (_options, rest) => rest,
}));
