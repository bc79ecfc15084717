import type { Demo } from './seed';

export interface DemoCommand {
  title: string;
  command: string;
}

/** A line that signs in, and three short commands that use what it leaves in the shell. */
export function demoCommands(apiUrl: string, demo: Demo): DemoCommand[] {
  const json = "-H 'Content-Type: application/json'";
  const asMerchant = '-H "X-Mode: test" -H "Authorization: Bearer $TOKEN"';
  const login = `curl -s $API/auth/merchant/login ${json} -d '${JSON.stringify(demo.merchant)}'`;
  const newest = `curl -s "$API/commissions?status=pending&limit=1" ${asMerchant}`;
  const sale = `{"external_transaction_id":"order-'$(date +%s)'","event_type":"purchase","promo_code":"${demo.promoCode}","amount_cents":4900,"currency":"usd"}`;
  return [
    {
      title: 'First, once in a quarter of an hour: sign in',
      command: `API=${apiUrl}/api/v1; KEY=${demo.keys.test.secret}; TOKEN=$(${login} | ${firstValueOf('accessToken')})`,
    },
    {
      title: '1. Report a conversion, as your server would',
      command: `curl -s $API/conversions ${json} -H "Authorization: Bearer $KEY" -d '${sale}'`,
    },
    { title: '2. List the commissions', command: `curl -s $API/commissions ${asMerchant}` },
    {
      title: '3. Approve the newest one before its hold ends',
      command: `ID=$(${newest} | ${firstValueOf('id')}); curl -s -X PATCH $API/programs/${demo.programId}/commissions/$ID/approve-override ${asMerchant} ${json} -d '{"reason":"A partner we know well"}'`,
    },
  ];
}

function firstValueOf(field: string): string {
  return `grep -o '"${field}":"[^"]*"' | head -1 | cut -d'"' -f4`;
}
