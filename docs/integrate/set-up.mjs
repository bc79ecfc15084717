import { AffiliateClient } from 'affiliate-programme-client';

/** With a management key: a programme, and a partner whose link is the shop's address with `?ref=` and the code. */
export async function setUp({ apiUrl, managementKey }) {
  const manager = new AffiliateClient({ apiKey: managementKey, baseUrl: apiUrl });
  const { id: programId } = await manager.programmes.create({
    name: 'Partners',
    websiteUrl: 'https://www.shop.example',
    commission: { type: 'percentage', rateBps: 2_000 },
  });
  const partner = { programId, email: 'anna@partner.example', name: 'Anna Partner' };
  const { referralCode } = await manager.partners.add(partner);
  return { programId, link: `https://www.shop.example/?ref=${referralCode}` };
}
