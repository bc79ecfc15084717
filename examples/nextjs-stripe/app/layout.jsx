import Script from 'next/script';

// The address and the public key are this server's settings, not those of whoever built the page.
export const dynamic = 'force-dynamic';

export default function RootLayout({ children }) {
  const { AFFILIATE_API_URL, AFFILIATE_PUBLIC_KEY } = process.env;
  return (
    <html lang="en">
      <body>
        {children}
        <Script
          src={`${AFFILIATE_API_URL}/v1/selgeo.js`}
          data-merchant={AFFILIATE_PUBLIC_KEY}
          data-keep=""
        />
      </body>
    </html>
  );
}
