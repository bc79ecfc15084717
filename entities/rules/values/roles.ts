/** Ordered: each role may do all that the ones before it may. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

export function hasRole(role: Role, atLeast: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(atLeast);
}
