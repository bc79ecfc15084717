// app/layout.jsx
import Script from 'next/script';

export default function RootLayout({ children }) {
  return (
    <html lang="en">
      <body>
        {children}
        <Script
          src="https://api.example.com/v1/selgeo.js"
          data-merchant="pk_test_YOUR_KEY"
          data-keep=""
        />
      </body>
    </html>
  );
}
