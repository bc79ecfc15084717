// app/orders/route.js
import { reportSale } from '../../lib/report-sale';
import { takePayment } from '../../lib/payments';

const apiUrl = 'https://api.example.com';
const secretKey = process.env.AFFILIATE_SECRET_KEY ?? '';

export async function POST(request) {
  const { clickId } = await request.json();
  // Kept with the order, so that a report which throws can be made again later.
  const order = await takePayment({ clickId });
  await reportSale({ apiUrl, secretKey }, order);
  return Response.json({ id: order.id });
}
