/** Roles that a display of the panel shows; every other node gets a generic control. */
export const displayedRoles = new Set();

/** Adds the roles of a display, called when its module loads. */
export function claimRoles(...roles) {
  for (const role of roles) displayedRoles.add(role);
}
