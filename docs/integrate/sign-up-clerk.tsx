// app/sign-up/[[...sign-up]]/page.tsx and app/webhooks/clerk/route.ts, of Clerk
import { SignUp } from '@clerk/nextjs';
import { verifyWebhook } from '@clerk/nextjs/webhooks';
import { cookies } from 'next/headers';
import type { NextRequest } from 'next/server';
import { reportSignUp } from './sign-up.mjs';

const service = {
  apiUrl: 'https://api.example.com',
  secretKey: process.env['AFFILIATE_SECRET_KEY'] ?? '',
};

// The page: Clerk makes the account, so the click goes along with it.
export default async function SignUpPage() {
  const clickId = (await cookies()).get('__selgeo_cid')?.value ?? null;
  return <SignUp unsafeMetadata={{ clickId }} />;
}

// The route: Clerk tells of the account by `user.created`, and again while this throws.
export async function POST(request: NextRequest) {
  const event = await verifyWebhook(request);
  if (event.type === 'user.created') {
    const { id, unsafe_metadata: metadata } = event.data;
    const clickId = typeof metadata['clickId'] === 'string' ? metadata['clickId'] : undefined;
    await reportSignUp(service, { id, clickId });
  }
  return new Response(null, { status: 204 });
}
