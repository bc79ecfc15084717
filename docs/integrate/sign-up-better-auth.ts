// lib/auth.ts, of Better Auth
import { betterAuth } from 'better-auth';
import { database } from '../lib/database';
import { later } from '../lib/later';
import { reportSignUp } from './sign-up.mjs';

const service = {
  apiUrl: 'https://api.example.com',
  secretKey: process.env['AFFILIATE_SECRET_KEY'] ?? '',
};

export const auth = betterAuth({
  database,
  emailAndPassword: { enabled: true },
  databaseHooks: {
    user: {
      create: {
        // Once for each account, by whatever way it was made.
        async after(user, context) {
          const clickId = context?.getCookie('__selgeo_cid');
          const report = () => reportSignUp(service, { id: user.id, clickId });
          // Nobody is kept out because a report failed: `later` is your queue, and calls again.
          await report().catch(() => later(report));
        },
      },
    },
  },
});
