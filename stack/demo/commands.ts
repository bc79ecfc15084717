import type { Demo } from './seed';

/** Three commands that each work when pasted alone, in any order after the first. */
export function demoCommands(apiUrl: string, demo: Demo): { title: string; command: string }[] {
  const login = `TOKEN=$(curl -s ${apiUrl}/api/v1/auth/merchant/login -H 'Content-Type: application/json' \\
    -d '${JSON.stringify(demo.merchant)}' \\
    | grep -o '"accessToken":"[^"]*"' | cut -d'"' -f4)`;
  const asMerchant = `-H 'X-Mode: test' -H "Authorization: Bearer $TOKEN"`;
  const newest = `${apiUrl}/api/v1/commissions?status=pending&sortBy=createdAt&sortOrder=desc&limit=1`;
  return [
    {
      title: 'Report a conversion, as your server would',
      command: `curl -s ${apiUrl}/api/v1/conversions -H 'Content-Type: application/json' \\
    -H 'Authorization: Bearer ${demo.keys.test.secret}' \\
    -d '{"external_transaction_id":"order-'$(date +%s)'","event_type":"purchase","promo_code":"${demo.promoCode}","amount_cents":4900,"currency":"usd"}'`,
    },
    {
      title: 'List the commissions',
      command: `${login} \\
    && curl -s ${apiUrl}/api/v1/commissions ${asMerchant}`,
    },
    {
      title: 'Approve the newest one before its hold ends',
      command: `${login} \\
    && ID=$(curl -s '${newest}' ${asMerchant} | grep -o '"id":"[^"]*"' | head -1 | cut -d'"' -f4) \\
    && curl -s -X PATCH ${apiUrl}/api/v1/programs/${demo.programId}/commissions/$ID/approve-override ${asMerchant} \\
    -H 'Content-Type: application/json' -d '{"reason":"A partner we know well"}'`,
    },
  ];
}
