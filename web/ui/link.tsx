import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';

interface FilteredProps {
  to: string;
  /** The filters that the list begins with. */
  search: Record<string, string | undefined>;
  className?: string;
  children: ReactNode;
}

/** A link to a list that shows a part of it. */
export function FilteredLink({ children, ...target }: FilteredProps) {
  // The router knows no page's filters: they are plain texts of the address.
  return <Link {...(target as { to: string })}>{children}</Link>;
}
