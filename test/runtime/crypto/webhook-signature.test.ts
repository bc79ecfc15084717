import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { newSigningSecret, signedHeaders } from '../../../runtime/crypto/webhook-signature';

const body = '{"id":"evt_1","text":"Grüße ✓"}';
const message = { messageId: 'evt_1', body, at: new Date() };

/** The published scheme read from its description alone: `t=<unix>,v1=<hex>` over `<t>.<raw body>`. */
function verifiesTv1(header: string, secret: string, raw: string): boolean {
  const fields = header.split(',').map((field) => field.split('='));
  const t = fields.find(([name]) => name === 't')?.[1];
  const key = Buffer.from(secret.replace('whsec_', ''), 'hex');
  const expected = createHmac('sha256', key).update(`${t}.${raw}`).digest('hex');
  return fields.some(([name, value]) => name === 'v1' && value === expected);
}

describe('signatures', () => {
  it('carry a secret of the published shape', () => {
    expect(newSigningSecret()).toMatch(/^whsec_[0-9a-f]{64}$/);
    expect(newSigningSecret()).not.toBe(newSigningSecret());
  });

  it('are accepted by the Standard Webhooks library with the secret as it was shown', () => {
    const secret = newSigningSecret();
    const headers = signedHeaders({ ...message, secrets: [secret] });
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(newSigningSecret()).verify(body, headers)).toThrow('signature');
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow('signature');
  });

  it('are accepted by the t/v1 scheme', () => {
    const secret = newSigningSecret();
    const header = signedHeaders({ ...message, secrets: [secret] })['x-selgeo-signature'] ?? '';
    expect(header).toMatch(/^t=\d{10},v1=[0-9a-f]{64}$/);
    expect(verifiesTv1(header, secret, body)).toBe(true);
    expect(verifiesTv1(header, newSigningSecret(), body)).toBe(false);
  });

  it('are two in each header while a rotation overlaps', () => {
    const [current, previous] = [newSigningSecret(), newSigningSecret()];
    const headers = signedHeaders({ ...message, secrets: [current, previous] });
    for (const secret of [current, previous]) {
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
      expect(verifiesTv1(headers['x-selgeo-signature'] ?? '', secret, body)).toBe(true);
    }
    expect(headers['webhook-signature']?.match(/v1,/g)).toHaveLength(2);
    expect(headers['x-selgeo-signature']?.match(/v1=/g)).toHaveLength(2);
  });

  it('carry the time of the attempt', () => {
    const at = new Date('2026-01-31T09:30:00.999Z');
    const headers = signedHeaders({
      ...message,
      at,
      secrets: [newSigningSecret()],
    });
    expect(headers['webhook-timestamp']).toBe('1769851800');
    expect(headers['x-selgeo-signature']).toContain('t=1769851800,');
  });
});
