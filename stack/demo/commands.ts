import type { Demo } from './seed';

export interface DemoCommand {
  title: string;
  command: string;
}

/** Lines that sign in, and three short commands that use what they leave in the shell. */
export function demoCommands(apiUrl: string, demo: Demo): DemoCommand[] {
  const asMerchant = '-H "X-Mode: test" -H "Authorization: Bearer $TOKEN"';
  const login = `curl -s $API/auth/merchant/login -H "$JSON" -d '${JSON.stringify(demo.merchant)}'`;
  const sale = `{"external_transaction_id":"'$(date +%s)'","event_type":"purchase","promo_code":"${demo.promoCode}","amount_cents":4900,"currency":"usd"}`;
  const commission = `$API/programs/${demo.programId}/commissions/$ID`;
  return [
    {
      title: 'First, once in a quarter of an hour: sign in',
      command: [
        `API=${apiUrl}/api/v1; KEY=${demo.keys.test.secret}; JSON='Content-Type: application/json'`,
        `first() { grep -o "\\"$1\\":\\"[^\\"]*" | head -1 | cut -d'"' -f4; }`,
        `TOKEN=$(${login} | first accessToken)`,
      ].join('\n'),
    },
    {
      title: '1. Report a conversion, as your server would',
      command: `curl $API/conversions -H "$JSON" -H "Authorization: Bearer $KEY" -d '${sale}'`,
    },
    {
      title: '2. List the newest commission; its id stays in the shell',
      command: `LIST=$(curl -s "$API/commissions?status=pending&limit=1" ${asMerchant}); ID=$(printf %s "$LIST" | first id); printf '%s\\n' "$LIST"`,
    },
    {
      title: '3. Approve it before its hold ends',
      command: `curl -s -X PATCH ${commission}/approve-override ${asMerchant} -H "$JSON" -d '{"reason":"Well known"}'`,
    },
  ];
}
