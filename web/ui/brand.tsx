/** The sign of the product: two circles, one brought by the other. Also the page's icon (api/web). */
export function BrandMark() {
  return (
    <svg className="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#4340d2" />
      <circle cx="12" cy="16" r="5" fill="none" stroke="#fff" strokeWidth="3" />
      <circle cx="20.5" cy="16" r="5" fill="none" stroke="#fff" strokeWidth="3" opacity=".65" />
    </svg>
  );
}
