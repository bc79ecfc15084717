/** Where an event of a processor is taken, and how it is signed. */
export interface StripeEndpoint {
  path: string;
  secret: string;
}

/** Connects a merchant's workspace. */
export async function connectStripe(api: string, accessToken: string): Promise<StripeEndpoint> {
  const secret = 'whsec_0123456789abcdef0123456789abcdef';
  const response = await fetch(`${api}/api/v1/workspace/stripe`, {
    method: 'PUT',
    headers: {
      'Content-Type': 'application/json',
      'X-Mode': 'live',
      Authorization: `Bearer ${accessToken}`,
    },
    body: JSON.stringify({ webhookSecret: secret }),
  });
  const { url } = (await response.json()) as { url: string };
  return { path: new URL(url).pathname, secret };
}
