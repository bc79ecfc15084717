// app/auth/callback/route.ts, of Supabase: where its mails and providers lead back to
import { createServerClient } from '@supabase/ssr';
import { cookies } from 'next/headers';
import { NextResponse, type NextRequest } from 'next/server';
import { later } from '../lib/later';
import { reportSignUp } from './sign-up.mjs';

const service = {
  apiUrl: 'https://api.example.com',
  secretKey: process.env['AFFILIATE_SECRET_KEY'] ?? '',
};

export async function GET(request: NextRequest) {
  const jar = await cookies();
  const supabase = createServerClient(
    process.env['NEXT_PUBLIC_SUPABASE_URL'] ?? '',
    process.env['NEXT_PUBLIC_SUPABASE_ANON_KEY'] ?? '',
    {
      cookies: {
        getAll: () => jar.getAll(),
        setAll: (all) => all.forEach(({ name, value, options }) => jar.set(name, value, options)),
      },
    },
  );
  const code = request.nextUrl.searchParams.get('code') ?? '';
  const { data } = await supabase.auth.exchangeCodeForSession(code);
  const clickId = jar.get('__selgeo_cid')?.value;
  if (data.user && clickId) {
    const { id } = data.user;
    // At every sign-in: who is known already stays as they are.
    const report = () => reportSignUp(service, { id, clickId });
    await report().catch(() => later(report));
  }
  return NextResponse.redirect(new URL('/', request.url));
}
