// app/api/auth/[...nextauth]/route.ts, of Auth.js with an adapter: without one it keeps no users
import NextAuth, { type NextAuthOptions } from 'next-auth';
import GitHub from 'next-auth/providers/github';
import { cookies } from 'next/headers';
import { adapter } from '../lib/adapter';
import { later } from '../lib/later';
import { reportSignUp } from './sign-up.mjs';

const service = {
  apiUrl: 'https://api.example.com',
  secretKey: process.env['AFFILIATE_SECRET_KEY'] ?? '',
};
const github = {
  clientId: process.env['GITHUB_ID'] ?? '',
  clientSecret: process.env['GITHUB_SECRET'] ?? '',
};

export const options: NextAuthOptions = {
  adapter,
  providers: [GitHub(github)],
  events: {
    // Once for each account, however its owner signs in later.
    async createUser({ user }) {
      const clickId = (await cookies()).get('__selgeo_cid')?.value;
      const report = () => reportSignUp(service, { id: user.id, clickId });
      // Nobody is kept out because a report failed: `later` is your queue, and calls again.
      await report().catch(() => later(report));
    },
  },
};

const handler = NextAuth(options);
export { handler as GET, handler as POST };
