import type { Json } from '../../../entities/rules/billing/json';
import { BillerHttpError, type BillerHttp } from '../../../runtime/connections/biller-http';

type Query = Readonly<Record<string, string | number | undefined>>;

/** A list of Polar's: its library asks with a slash at the end, its reference writes it without. */
export async function callList(http: BillerHttp, list: string, query: Query): Promise<Json> {
  try {
    return await http.call('GET', `/v1/${list}/`, { query });
  } catch (error) {
    const isUnknown = error instanceof BillerHttpError && error.status === 404;
    if (!isUnknown) throw error;
    return http.call('GET', `/v1/${list}`, { query });
  }
}
