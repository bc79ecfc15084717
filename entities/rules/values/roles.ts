/** Ordered: each role may do all that the ones before it may. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

/** What a management key may be; an owner is a person. */
export const keyRoles = ['viewer', 'member', 'admin'] as const;
export type KeyRole = (typeof keyRoles)[number];

export function hasRole(role: Role, atLeast: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(atLeast);
}
