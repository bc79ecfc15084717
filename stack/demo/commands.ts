import type { Demo } from './seed';

/** Three commands that each work when pasted alone, on one line, in any order after the first. */
export function demoCommands(apiUrl: string, demo: Demo): { title: string; command: string }[] {
  const json = "-H 'Content-Type: application/json'";
  const login = `curl -s ${apiUrl}/api/v1/auth/merchant/login ${json} -d '${JSON.stringify(demo.merchant)}'`;
  // Signs in each time: a token in the output would be worth nothing after a quarter of an hour.
  const asMerchant = `-H 'X-Mode: test' -H "Authorization: Bearer $(${login} | ${firstValueOf('accessToken')})"`;
  const newest = `'${apiUrl}/api/v1/commissions?status=pending&sortBy=createdAt&sortOrder=desc&limit=1'`;
  const newestId = `$(curl -s ${newest} ${asMerchant} | ${firstValueOf('id')})`;
  return [
    {
      title: 'Report a conversion, as your server would',
      command: `curl -s ${apiUrl}/api/v1/conversions ${json} -H 'Authorization: Bearer ${demo.keys.test.secret}' -d '{"external_transaction_id":"order-'$(date +%s)'","event_type":"purchase","promo_code":"${demo.promoCode}","amount_cents":4900,"currency":"usd"}'`,
    },
    {
      title: 'List the commissions',
      command: `curl -s ${apiUrl}/api/v1/commissions ${asMerchant}`,
    },
    {
      title: 'Approve the newest one before its hold ends',
      command: `curl -s -X PATCH "${apiUrl}/api/v1/programs/${demo.programId}/commissions/${newestId}/approve-override" ${asMerchant} ${json} -d '{"reason":"A partner we know well"}'`,
    },
  ];
}

function firstValueOf(field: string): string {
  return `grep -o '"${field}":"[^"]*"' | head -1 | cut -d'"' -f4`;
}
